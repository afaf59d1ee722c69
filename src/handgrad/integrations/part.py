"""A process of `make autograde` or `make feedback`: reads its share of the class from stdin.

That is a JSON object with a list of notes for each learner. Writes one JSON object a line to stdout, and
nbgrader's log to stderr. Started as
`python -m handgrad.integrations.part autograde|feedback FOLDER SLUG LEVEL JOBS [ROOT ...]`.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
from pathlib import Path
from typing import Any


def main(arguments: list[str]) -> int:
    """Do one share. 0 when it was done, whatever became of the single learners; 3 when it could not start."""
    # More than half of nbgrader's import is 38 grammars for addresses in other alphabets; jsonschema, which
    # asks for them, does without where they are missing.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    gc.disable()  # what these imports make stays: looking through it again and again finds nothing
    from handgrad.errors import HandgradError
    from handgrad.integrations import nbgrader as integration

    gc.freeze()
    gc.enable()
    what, folder, slug, level, jobs, *roots = arguments
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s")
    noted = json.load(sys.stdin)
    config = integration.load_config(Path(folder))
    for root in roots:
        integration.add_root(Path(root))
    config.Application.log_level = logging.WARNING
    try:
        if what == "feedback":
            integration.feedback(Path(folder), slug, noted, config=config)
            return 0
        integration.autograde(
            Path(folder),
            slug,
            noted,
            config=config,
            told=_tell,
            notes=noted,
            level=int(level),
            jobs=int(jobs),
        )
    except HandgradError as error:
        _tell({"problem": str(error)})
        return 3
    return 0


def _tell(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
