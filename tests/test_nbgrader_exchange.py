"""A class over nbgrader's exchange, and formgrader's button: from release to the page in a learner's folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from handing_in import FULL, SLUG, answered, command, make_course, scores

STUDENT_CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'handgrad'\nc.Exchange.root = {root!r}\n"
BUTTON = """
import json
from traitlets.config import PyFileConfigLoader
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
config = PyFileConfigLoader("nbgrader_config.py", path=".").load_config()
api = NbGraderAPI(CourseDirectory(config=config), config=config)
print(json.dumps(api.autograde("stack", {student!r})["success"]))
"""


@pytest.fixture
def exchange(tmp_path: Path) -> Path:
    """Where teachers and students meet."""
    root = tmp_path / "exchange"
    root.mkdir()
    root.chmod(0o777)
    return root


def test_work_goes_out_and_comes_back_as_a_page(tmp_path: Path, exchange: Path) -> None:
    """release_assignment, fetch, submit, collect, formgrader's autograde, release_feedback, fetch_feedback."""
    notebooks = make_course(tmp_path / "course")
    config = notebooks / "nbgrader_config.py"
    config.write_text(config.read_text("utf-8") + f"c.Exchange.root = {str(exchange)!r}\n", "utf-8")
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "nbgrader_config.py").write_text(STUDENT_CONFIG.format(root=str(exchange)), "utf-8")

    def do(folder: Path, *words: str) -> str:
        done = command(folder, *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    do(notebooks, "handgrad", "release", SLUG)
    do(notebooks, "nbgrader", "release_assignment", SLUG)
    do(desk, "nbgrader", "fetch_assignment", SLUG)
    fetched = desk / SLUG / f"{SLUG}.ipynb"
    fetched.write_text(json.dumps(answered(json.loads(fetched.read_text("utf-8")))), "utf-8")
    do(desk, "nbgrader", "submit", SLUG)
    do(notebooks, "nbgrader", "collect", SLUG)
    (student,) = [p.name for p in (notebooks / "submitted").iterdir()]
    (notebooks / "button.py").write_text(BUTTON.format(student=student), "utf-8")
    said = do(notebooks, "button")
    do(notebooks, "nbgrader", "generate_feedback", SLUG)
    do(notebooks, "nbgrader", "release_feedback", SLUG)
    do(desk, "nbgrader", "fetch_feedback", SLUG)

    assert said.splitlines()[-1] == "true"
    assert scores(notebooks) == {student: FULL}
    (page,) = (desk / SLUG / "feedback").rglob("*.html")
    assert f"Score: {FULL} / {FULL}" in page.read_text("utf-8")
