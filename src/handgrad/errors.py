"""What stops handgrad before it could judge, and is never a learner's zero: each is one clear sentence."""


class HandgradError(Exception):
    """Something stopped handgrad before it could judge. The text is one sentence and says what to do."""


class ExerciseError(HandgradError):
    """The author of an exercise must act: a broken grader, a wrong total, an unknown key."""


class ToolError(HandgradError):
    """The machine must be mended: no sandbox, no room on the disk, a worker that cannot start."""


class UsageError(HandgradError):
    """The command was called with words it cannot use."""
