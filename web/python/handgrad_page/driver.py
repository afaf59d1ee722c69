"""Runs one learner's file against the visible checks, in the page's own Python, and tells what happens.

The judge is the command's, with the agent in the same process (level 0), so a check ends as it does there.
Everything told is plain JSON text; the page shows it as text.
"""

import gc
import json
import random
from pathlib import Path

from handgrad.judge.loader import load_checks
from handgrad.judge.session import Session
from handgrad.model import Exercise, Limits, Status
from handgrad.sandbox.inprocess import InProcessStarter
from handgrad.submission import read_submission
from handgrad.worker.serve import SEED
from handgrad_page.drawing import draw

COURSE = Path("/home/learner/course")
DRAWN = 3  # failed checks whose graph is drawn


def run(text, post, course=COURSE):
    """Do what the request in `text` asks, and `post` an event, as JSON text, for each thing that happens.

    The exercise's files are laid out in the folder `course`.
    """
    request = json.loads(text)

    def tell(kind, **fields):
        post(json.dumps({"kind": kind, **fields}))

    if "carry" in request:
        from handgrad.build.carry import carry

        tell("carried", code=carry(request["carry"]["starter"], request["carry"]["own"]))
        return
    random.seed(SEED)
    gc.set_threshold(50_000, 20, 100)
    exercise = lay_out(request["exercise"], course)
    exercise.solution_path.write_text(request["code"], encoding="utf-8", errors="surrogatepass", newline="")
    submission = read_submission(exercise.solution_path, limits=exercise.limits)
    failed = []
    with Session(
        exercise, submission, starter=InProcessStarter(), stubs=frozenset(request["exercise"]["started"])
    ) as session:
        session.load()
        tell("file", problem=session.problem, place=place_of(session.place), output=session.output)
        if session.problem:
            return
        wanted = set(request["checks"])
        for loaded in load_checks(exercise) if wanted else ():
            if loaded.check.name not in wanted:
                continue
            tell("running", name=loaded.check.name)
            result = session.run(loaded)
            tell("result", name=loaded.check.name, result=as_data(result))
            if result.status in (Status.FAILED, Status.ERROR) and loaded.example:
                failed.append(loaded)
    if request.get("draw"):
        tell_drawings(request, failed, tell)


def tell_drawings(request, failed, tell):
    """Draw the graphs of the first failed checks, then that of the page's own example."""
    for loaded in failed[:DRAWN]:
        tell("drawing-next", name=loaded.check.name)
        drawing = draw(request["code"], "\n".join(loaded.example), needs=loaded.parameters)
        if drawing and drawing["nodes"]:
            tell("drawing", name=loaded.check.name, drawing=drawing)
    if request.get("example"):
        tell("drawing-next", name=None)
        drawing = draw(request["code"], request["example"], most=40)
        if drawing:
            tell("drawing", name=None, drawing=drawing)


def lay_out(description, course):
    """The exercise as the judge knows it: its visible graders in files, its description as an Exercise."""
    slug = description["slug"]
    numbers = {name.split("/")[0] for name in description["graders"]} | {"0"}
    for name, source in description["graders"].items():
        number, file = name.split("/")
        path = course / number / "graders" / slug / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    (course / "0" / "exercises" / slug).mkdir(parents=True, exist_ok=True)
    return Exercise(
        slug=slug,
        root=course / "0",
        roots=tuple(course / number for number in sorted(numbers, key=int)),
        title=description["title"],
        level=description["level"],
        summary=description["summary"],
        points=description["points"],
        checks=description["checks"],
        preload=tuple(description["preload"]),
        limits=Limits(**description["limits"]),
    )


def place_of(place):
    """A line of the learner's file, for the page."""
    return None if place is None else {"line": place.line, "text": place.text, "name": place.name}


def as_data(result):
    """A CheckResult as plain data. Visible checks have no secrets: all of the detail goes along."""
    data = {"status": str(result.status), "message": result.message, "seconds": result.cpu_seconds}
    if result.detail is not None:
        data |= result.detail._asdict()
        data["place"] = place_of(result.detail.place)
    return data
