"""What stops handgrad before it could judge, and is never a learner's zero: each is one clear sentence."""


class HandgradError(Exception):
    """Something stopped handgrad before it could judge. The text is one sentence and says what to do."""


class ExerciseError(HandgradError):
    """The author of an exercise must act: a broken grader, a wrong total, an unknown key."""


class ToolError(HandgradError):
    """The machine must be mended: no sandbox, no room on the disk, a worker that cannot start."""


class UsageError(HandgradError):
    """The command was called with words it cannot use."""


def last_line(text: str) -> str:
    """What a log or a traceback comes down to: its last line, but what SQLAlchemy says after its own."""
    import re

    told = re.sub(r"\n\[SQL: .*?\n\(Background on this error at: [^\n]*", "", text.strip(), flags=re.DOTALL)
    told = re.sub(r"\n\(Background on this error at: [^\n]*", "", told)
    return told.splitlines()[-1] if told else ""
