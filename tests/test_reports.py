"""Every format, for both audiences: golden files, what a learner never sees, and what cannot be shown.

After a change that is meant: `python tests/test_reports.py` writes tests/golden/reports/ again.
"""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from datetime import UTC, datetime
from pathlib import Path

import pytest
from result_v1 import MOST_BYTES, problems

from handgrad.errors import ToolError
from handgrad.model import Audience, Check, CheckResult, Detail, Place, Status, Verdict
from handgrad.report import FORMATS
from handgrad.report.markdown import mermaid_graph
from handgrad.report.terminal import fit, use_color
from handgrad.report.view import learner_view

GOLDEN = Path(__file__).parent / "golden" / "reports"
SCHEMA = Path(__file__).parent.parent / "docs" / "verdict-1.schema.json"
RUNNER = {
    "CLASSROOM": "stacks",
    "ASSIGNMENT": "stack",
    "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-09-01T08-00-00Z-a1b2c3d",
    "COMMIT_URL": "commit",
    "RELEASE_URL": "release",
}
OPTIONS = {
    "environ": RUNNER,
    "now": datetime(2026, 9, 1, 8, tzinfo=UTC),
    "hint_command": "make hint EX={slug}",
}


def result(name: str, status: Status, message: str = "", *, hidden: bool = False, **detail) -> CheckResult:
    """A result of the check `name`, worth two points, with two hints."""
    title = name.replace("_", " ").capitalize()
    path = Path("graders/stack") / ("hidden/test_more.py" if hidden else "test_stack.py")
    check = Check(f"test_{name}", title, 2, (f"Hint for {name}.", "Nearly the answer."), hidden, path, 7)
    return CheckResult(check, status, message, Detail(**detail) if detail else None, 0.01234)


def verdict(*results: CheckResult, **changes) -> Verdict:
    """A verdict on a stack."""
    whole = Verdict(
        exercise="stack",
        learner="",
        results=results,
        level=2,
        grader_digest="9" * 64,
        submission_digest="5" * 64,
        versions=(("handgrad", "0.1.0"), ("python", "3.12.1")),
        seeds="5ec7e7",
        submitted_at="2026-09-01T10:00:00+02:00",
        source="exercises/stack/solution.py",
    )
    return whole._replace(**changes)


FAILED = result(
    "pop_takes_the_top_off",
    Status.FAILED,
    "with s = Stack(), s.push(1): expected s.pop() to be 1, got None",
    expression="s.pop()",
    expected="1",
    actual="None",
    example=("s = Stack()", "s.push(1)", "top = s.pop()"),
    output="popping\nfrom an empty list?\n",
    graph="a = 1.0\nb = a + a\nc = b * a",
    seed="stack/test_pop",
)
RAISED = result(
    "peek_leaves_the_top_on",
    Status.ERROR,
    "your code raised `IndexError: list index out of range`",
    exception="IndexError: list index out of range",
    example=("s = Stack()",),
    place=Place(14, "return self.items[-2]", "peek"),
)
HIDDEN = result(
    "any_order_of_pushes",
    Status.FAILED,
    "with s.push(CANARY1): expected s.pop() to be CANARY2, got CANARY3",
    hidden=True,
    expression="CANARY4",
    expected="CANARY2",
    actual="CANARY3",
    example=("s.push(CANARY1)",),
    exception="CANARY5",
    place=Place(3, "CANARY6", "CANARY7"),
    output="CANARY8",
    graph="CANARY9 = 1",
    seed="CANARY10",
)
PASSED = result("push_puts_on_top", Status.PASSED)
TODO = result("len_counts", Status.NOT_STARTED, "`Stack.__len__` is still to be written")
SKIPPED = result("a_million_pushes", Status.NOT_RUN, "your code stopped the process in the check before")

CASES = {
    "mixed": [verdict(PASSED, FAILED, RAISED, TODO, SKIPPED, HIDDEN, output="loading\n")],
    "passed": [verdict(PASSED, HIDDEN._replace(status=Status.PASSED, message="", detail=None))],
    "starter": [verdict(TODO)],
    "syntax": [
        verdict(
            SKIPPED._replace(message=""),
            HIDDEN._replace(status=Status.NOT_RUN, message="", detail=None),
            message="your file is not Python: line 3: '(' was never closed",
            place=Place(3, "def push(self, item", ""),
            notes=("a byte-order mark was taken off",),
        )
    ],
    "ungraded": [verdict(ungraded="no worker can be started here: run `handgrad doctor --sandbox`")],
    "class": [
        verdict(PASSED, FAILED, learner="ada"),
        verdict(PASSED, PASSED, learner="=bob"),
        verdict(TODO, learner="cy"),
        verdict(learner="dee", ungraded="the disk is full"),
    ],
}
ENDINGS = {
    "terminal": "txt",
    "json": "jsonl",
    "junit": "xml",
    "markdown": "md",
    "gradescope": "gradescope.json",
}


def golden_files() -> dict[str, str]:
    """The text of every golden file, as rendered now."""
    files = {}
    for case, verdicts in CASES.items():
        for name, render in FORMATS.items():
            for audience in Audience:
                ending = ENDINGS.get(name, name)
                try:
                    text = render(verdicts, audience=audience, **OPTIONS)
                except ToolError as error:
                    text = f"ToolError: {error}\n"
                files[f"{case}.{audience}.{ending}"] = text
    return files


def test_every_report_is_as_committed() -> None:
    """A change of a report is seen, and meant."""
    rendered = golden_files()

    committed = {path.name: path.read_text("utf-8") for path in GOLDEN.iterdir()}
    assert sorted(rendered) == sorted(committed), "run `python tests/test_reports.py`"
    different = [name for name in rendered if rendered[name] != committed[name]]
    assert different == [], "run `python tests/test_reports.py` and look at the difference"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("audience", Audience)
def test_json_is_as_its_schema_says(case: str, audience: Audience) -> None:
    """Each line is one verdict/1."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))

    lines = FORMATS["json"](CASES[case], audience=audience).splitlines()

    assert len(lines) == len(CASES[case])
    for line in lines:
        jsonschema.validate(json.loads(line), schema)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("feedback", ["full", "rule", "score"])
def test_no_format_shows_a_learner_what_a_hidden_check_knows(name: str, feedback: str) -> None:
    """Values, example, exception, place, output, graph, seed and time of hidden checks are the instructor's."""
    verdicts = CASES["mixed"]

    text = FORMATS[name](verdicts, audience=Audience.LEARNER, feedback=feedback, **OPTIONS)

    assert "CANARY" not in text
    assert "5ec7e7" not in text
    assert "hidden/test_more.py" not in text


@pytest.mark.parametrize(
    "name", ["terminal", "json", "junit", "html", "markdown", "gradescope", "classroom50"]
)
def test_an_instructor_sees_what_a_hidden_check_knows(name: str) -> None:
    """The canaries are there to be found: the test above can fail."""
    text = FORMATS[name]([verdict(PASSED, HIDDEN)], audience=Audience.INSTRUCTOR, **OPTIONS)

    assert "CANARY3" in text


@pytest.mark.parametrize("name", FORMATS)
def test_learner_is_the_audience_unless_another_is_asked_for(name: str) -> None:
    """Forgetting to say for whom shows too little, never too much."""
    text = FORMATS[name](CASES["mixed"], **OPTIONS)

    assert "CANARY" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_exam_feedback_gives_no_values_and_no_hints(name: str) -> None:
    """`rule` names the rule that is broken; `score` not even that."""
    rule = FORMATS[name](CASES["mixed"], audience=Audience.LEARNER, feedback="rule", **OPTIONS)
    score = FORMATS[name](CASES["mixed"], audience=Audience.LEARNER, feedback="score", **OPTIONS)

    assert "Hint for" not in rule + score
    assert "got None" not in rule + score
    assert "Pop takes" not in score


def test_an_unknown_feedback_is_refused() -> None:
    """A misspelt word in course.toml must not mean full feedback in an exam."""
    with pytest.raises(ValueError, match="`exam`"):
        learner_view(CASES["mixed"][0], feedback="exam")


def test_the_learner_view_changes_no_points() -> None:
    """Both views of a verdict have one score."""
    whole = CASES["mixed"][0]

    seen = learner_view(whole, feedback="score")

    assert (seen.score, seen.max_score) == (whole.score, whole.max_score)


EVIL = "\x1b[31m\u202e\ud800\r</script>]]>\x00<img src=x>`|@octocat\n::error::x\n##[error]"
EVIL_VERDICT = verdict(
    result(
        "pop",
        Status.ERROR,
        EVIL,
        expression=EVIL,
        expected=EVIL,
        actual=EVIL,
        example=(EVIL,),
        exception=EVIL,
        place=Place(1, EVIL, EVIL),
        output=EVIL,
        graph=EVIL,
    ),
    learner=EVIL,
    message=EVIL,
    notes=(EVIL,),
    output=EVIL,
    source=EVIL,
    submitted_at=EVIL,
    place=Place(1, EVIL, EVIL),
)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("audience", Audience)
def test_nothing_a_learner_wrote_acts(name: str, audience: Audience) -> None:
    """Terminal codes, tags, marks of direction and half characters are text in every format."""
    for verdicts in ([EVIL_VERDICT], [EVIL_VERDICT, EVIL_VERDICT._replace(learner="b", results=())]):
        text = FORMATS[name](verdicts, audience=audience, **OPTIONS)

        assert not set(text) & set("\x1b\r\x00\u202e\ud800")
        assert "<img" not in text or name in (
            "terminal",
            "json",
            "csv",
            "gradescope",
            "classroom50",
            "markdown",
        )
        text.encode("utf-8")


def test_markdown_shows_tags_only_inside_code() -> None:
    """What is rendered holds no tag but our own folds."""
    markdown_it = pytest.importorskip("markdown_it")

    page = markdown_it.MarkdownIt("commonmark").render(FORMATS["markdown"]([EVIL_VERDICT]))

    assert "<img" not in page
    assert "</script" not in page


def test_junit_does_not_call_an_unusable_file_skipped() -> None:
    """Where only failures and errors count, a file with a syntax error would look fine."""
    suite = ElementTree.fromstring(FORMATS["junit"](CASES["syntax"]))[0]

    (error,) = suite.iter("error")
    assert suite.attrib["errors"] == "1"
    assert "your file is not Python" in error.attrib["message"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("audience", Audience)
def test_junit_parses_and_counts_what_it_holds(case: str, audience: Audience) -> None:
    """The numbers in a suite are those of its cases."""
    root = ElementTree.fromstring(FORMATS["junit"](CASES[case], audience=audience))

    for suite in root:
        cases = suite.findall("testcase")
        found = [
            sum(each.find(kind) is not None for each in cases) for kind in ("failure", "error", "skipped")
        ]
        assert [int(suite.attrib[kind]) for kind in ("failures", "errors", "skipped")] == found
        assert int(suite.attrib["tests"]) == len(cases)


def test_an_ungraded_verdict_is_no_zero_anywhere() -> None:
    """A fault of ours is told apart from a score of none."""
    ungraded = CASES["ungraded"]

    assert json.loads(FORMATS["json"](ungraded))["score"] is None
    assert "score" not in json.loads(FORMATS["gradescope"](ungraded))
    assert next(csv.DictReader(io.StringIO(FORMATS["csv"](ungraded))))["score"] == ""
    with pytest.raises(ToolError, match="no worker can be started"):
        FORMATS["classroom50"](ungraded, environ=RUNNER)


def test_classroom50_asks_for_its_runner() -> None:
    """Outside its runner the format says what is missing."""
    with pytest.raises(ToolError, match="`SUBMISSION_TAG` is not set"):
        FORMATS["classroom50"](CASES["passed"], environ={**RUNNER, "SUBMISSION_TAG": ""})


@pytest.mark.parametrize("case", [name for name in CASES if name != "ungraded" and name != "class"])
@pytest.mark.parametrize("audience", Audience)
@pytest.mark.parametrize("feedback", ["full", "rule", "score"])
def test_a_classroom50_result_is_what_its_published_schema_asks_for(
    case: str, audience: Audience, feedback: str
) -> None:
    """Fields, types, patterns, nothing beside them, and no more points than there are."""
    text = FORMATS["classroom50"](CASES[case], audience=audience, feedback=feedback, **OPTIONS)

    assert problems(json.loads(text)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "classroom50/result/v2"},
        {"assignment_type": "pair"},
        {"submission": "2026-09-01"},
        {"datetime": "2026-09-01T08:00:00+00:00"},
        {"datetime": "2026-09-01T24:00:00Z"},
        {"owner": ""},
        {"score": 1.5},
        {"score": -1},
        {"score": 99},
        {"max-score": True},
        {"tests": [{"test-name": "push", "passed": 1, "score": 0, "max-score": 2}]},
        {"tests": [{"test-name": "", "passed": True, "score": 0, "max-score": 2}]},
        {"tests": [{"test-name": "push", "passed": True, "score": 3, "max-score": 2}]},
        {"tests": [{"passed": True, "score": 2, "max-score": 2}]},
        {"learner": "ada"},
    ],
    ids=str,
)
def test_what_classroom50_would_refuse_is_found(change: dict) -> None:
    """The schema above can fail, field by field."""
    whole = json.loads(FORMATS["classroom50"](CASES["passed"], **OPTIONS))

    assert problems({**whole, **change}) != []


def test_a_classroom50_result_is_never_too_large_to_be_collected() -> None:
    """Printouts that JSON makes twelve times as long are cut; what they say first is kept."""
    flood = [result(f"c{i}", Status.FAILED, "wrong", output="\U0001f600" * 65_536) for i in range(100)]

    text = FORMATS["classroom50"]([verdict(*flood)], **OPTIONS)

    assert len(text.encode()) < MOST_BYTES
    assert "\U0001f600" * 1000 in json.loads(text)["tests"][-1]["output"]
    assert problems(json.loads(text)) == []


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2026-09-01T10:00:00+02:00", "2026-09-01T08:00:00Z"),
        ("2026-09-01T08:00:00", "2026-09-01T08:00:00Z"),
        ("yesterday", "2026-09-01T08:00:00Z"),
        ("", "2026-09-01T08:00:00Z"),
    ],
)
def test_classroom50_times_are_utc(given: str, written: str) -> None:
    """A time that cannot be read is the time of grading."""
    text = FORMATS["classroom50"]([verdict(PASSED, submitted_at=given)], **OPTIONS)

    assert json.loads(text)["datetime"] == written


class TestTerminal:
    """The report a person reads."""

    def text(self, case: str, **options) -> str:
        """The learner's terminal report of a case."""
        return FORMATS["terminal"](CASES[case], audience=Audience.LEARNER, **options)

    def test_every_check_is_a_line_that_starts_with_its_word(self) -> None:
        """A screen reader, grep and a person all find PASS and FAIL at the start of a line."""
        words = [line.split()[0] for line in self.text("mixed").splitlines() if "/2 " in line]

        assert words == ["PASS", "FAIL", "ERROR", "TODO", "SKIP", "FAIL"]

    def test_only_the_first_thing_to_mend_is_shown_in_full(self) -> None:
        """One thing at a time: the second failure has its line and no more."""
        text = self.text("mixed")

        assert "got None" in text
        assert "IndexError" not in text

    def test_the_learners_own_line_is_a_link(self) -> None:
        """`path:line:` at the start of a word, which editors and terminals open."""
        text = FORMATS["terminal"]([verdict(PASSED, RAISED)])

        assert "  exercises/stack/solution.py:14: in peek\n      return self.items[-2]\n" in text

    def test_the_next_hint_is_named_where_there_is_a_command_for_it(self) -> None:
        """Every command that is printed works where it is printed."""
        assert "1 more: `make hint EX=stack`" in self.text("mixed", hint_command="make hint EX={slug}")
        assert "more:" not in self.text("mixed")

    def test_a_flood_of_printing_is_shortened(self) -> None:
        """Head and tail stay, and how much is left out is said."""
        flood = FAILED._replace(detail=Detail(output="\n".join(map(str, range(1000)))))

        text = FORMATS["terminal"]([verdict(flood)])

        assert "│ 0\n" in text
        assert "│ 999\n" in text
        assert "981 lines left out" in text

    def test_plain_has_no_signs_and_no_colour(self) -> None:
        """Also when colour is asked for."""
        text = self.text("mixed", plain=True, color=True)

        assert text.isascii()
        assert "\x1b" not in text

    def test_brief_is_what_to_mend_first_and_the_score(self) -> None:
        """The same report without the line a check, which a screen reader would read one by one."""
        whole, brief = self.text("mixed").split("\n"), self.text("mixed", brief=True).split("\n")

        assert [line for line in whole if line not in brief] == whole[1 : whole.index("")]
        assert brief[-2] == whole[-2]

    def test_colour_only_decorates(self) -> None:
        """Without the codes the coloured report is the same report."""
        import re

        colored = self.text("mixed", color=True)

        assert "\x1b[32mPASS" in colored
        assert re.sub(r"\x1b\[\d+m", "", colored) == self.text("mixed")

    @pytest.mark.parametrize(
        "encoding", ["cp1252", "ascii", "latin-1", "cp437", "shift_jis", "no-such-encoding"]
    )
    def test_an_encoding_without_our_signs_gets_plain_ones(self, encoding: str) -> None:
        """A Windows console of another age shows the whole report."""
        text = self.text("mixed", encoding=encoding)

        text.encode("ascii" if encoding.startswith("no") else encoding)
        assert "popping" in text

    def test_what_an_encoding_lacks_is_written_out(self) -> None:
        """A learner's own letters are not lost."""
        assert fit("│ \u4e2d", "ascii") == "| \\u4e2d"

    @pytest.mark.parametrize(
        ("environ", "is_terminal", "plain", "expected"),
        [
            ({}, True, False, True),
            ({}, False, False, False),
            ({}, True, True, False),
            ({"TERM": "dumb"}, True, False, False),
            ({"NO_COLOR": "1"}, True, False, False),
            ({"NO_COLOR": ""}, True, False, True),
            ({"FORCE_COLOR": "1"}, False, False, True),
            ({"FORCE_COLOR": "0"}, False, False, False),
            ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False, False),
            ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, False, True),
            ({"FORCE_COLOR": "1"}, True, True, False),
        ],
    )
    def test_colour_follows_what_was_asked(self, environ, is_terminal, plain, expected) -> None:
        """`--plain` and NO_COLOR win over FORCE_COLOR, and that over what kind of place it is."""
        assert use_color(environ, is_terminal=is_terminal, plain=plain) is expected


class TestMarkdown:
    """The summary of a CI run."""

    @pytest.mark.parametrize("limit", [200, 1_000, 3_000, 10_000, 65_000])
    def test_it_fits_where_it_goes(self, limit: int) -> None:
        """However much was printed and however many checks failed, the score is there."""
        flood = [result(f"c{i}", Status.FAILED, "wrong", output="é" * 70_000) for i in range(30)]
        text = FORMATS["markdown"]([verdict(*flood, PASSED)], limit_bytes=limit)

        assert len(text.encode()) <= limit
        assert "2/62 points, 1 of 31 checks pass" in text
        assert "Shortened to fit" in text

    def test_printing_is_cut_before_explanations_are(self) -> None:
        """What a learner needs least goes first."""
        flood = FAILED._replace(detail=FAILED.detail._replace(output="noise " * 1000))
        text = FORMATS["markdown"]([verdict(flood)], limit_bytes=2_000)

        assert "noise" not in text
        assert "s = Stack()" in text

    def test_one_cause_is_explained_once(self) -> None:
        """Nineteen checks that end at one line with one exception are not nineteen things to mend."""
        raised = [
            result(f"c{i}", Status.ERROR, f"with x = {i}", exception=words, place=Place(line, "f", "x"))
            for i, (line, words) in enumerate(
                [(3, "A: a"), (3, "A: a"), (3, "A: a"), (9, "A: a"), (9, "A: a")]
            )
        ]

        text = FORMATS["markdown"]([verdict(*raised)])

        assert text.count("| ERROR |") == 5
        assert text.count("**Hint:**") == 2
        assert "2 more checks fail for the same reason." in text
        assert "<summary>ERROR: C3 (and 1 more for the same reason)</summary>" in text

    def test_checks_that_never_ran_are_not_listed(self) -> None:
        """Where the file itself cannot be read, that is all there is to say."""
        text = FORMATS["markdown"](CASES["syntax"])

        assert "never closed" in text
        assert "SKIP" not in text

    def test_what_to_mend_stands_before_the_table(self) -> None:
        """Nobody scrolls past twenty rows for the first thing to do."""
        text = FORMATS["markdown"](CASES["mixed"])

        assert text.index("**First to mend") < text.index("| Points |") < text.index("<summary>ERROR")

    def test_a_thousand_verdicts_still_fit(self) -> None:
        """The end is cut off when even headings are too many."""
        text = FORMATS["markdown"]([verdict(PASSED, learner=str(i)) for i in range(1000)], limit_bytes=4_000)

        assert len(text.encode()) <= 4_000
        assert text.startswith("### ✅ stack (0)")

    @pytest.mark.parametrize("words", ["notes", "message", "ungraded"])
    def test_one_learners_words_push_nobody_out(self, words: str) -> None:
        """However long they are, and however they grow when they are escaped."""
        long = "*" * 100_000
        loud = verdict(PASSED, learner="loud", **{words: (long,) * 50 if words == "notes" else long})
        others = [verdict(PASSED, learner=f"s{i}", notes=("a" * 300,) * 3) for i in range(20)]

        text = FORMATS["markdown"]([loud, *others], limit_bytes=3_000)

        assert len(text.encode()) <= 3_000
        assert [f"(s{i})" in text for i in range(20)] == [True] * 20

    def test_the_graph_is_drawn_with_an_arrow_for_each_use(self) -> None:
        """b = a + a uses a twice, and both arrows are there."""
        drawing = mermaid_graph("a = 1.0\nb = a + a\nc = b.tanh()")

        assert drawing.splitlines() == [
            "flowchart LR",
            '    n0["a = 1.0"]',
            '    n1["b = a + a"]',
            "    n0 --> n1",
            "    n0 --> n1",
            '    n2["c = b.tanh()"]',
            "    n1 --> n2",
        ]

    @pytest.mark.parametrize("text", ["", "no assignment here", "\n".join(f"v{i} = 1" for i in range(41))])
    def test_what_cannot_be_drawn_is_not(self, text: str) -> None:
        """Then the text form stands alone."""
        assert mermaid_graph(text) == ""


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for old in GOLDEN.iterdir():
        old.unlink()
    for file_name, file_text in golden_files().items():
        (GOLDEN / file_name).write_text(file_text, "utf-8", newline="\n")
