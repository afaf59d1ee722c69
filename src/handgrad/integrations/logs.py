"""What a log of nbgrader's comes down to; importing nothing of nbgrader, which takes seconds."""

from __future__ import annotations

import re


def last_line(text: str) -> str:
    """What a log or a traceback comes down to: its last line, but what SQLAlchemy says after its own."""
    told = re.sub(r"\n\[SQL: .*?\n\(Background on this error at: [^\n]*", "", text.strip(), flags=re.DOTALL)
    told = re.sub(r"\n\(Background on this error at: [^\n]*", "", told)
    return told.splitlines()[-1] if told else ""
