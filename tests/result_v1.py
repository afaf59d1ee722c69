"""What Classroom 50 takes as a `result.json`, as a JSON Schema in our own words, and the rules beside it.

Source: `schemas/result-v1.schema.json` of the GitHub repository foundation50/classroom50 at commit 6e593c79,
and for the rules that a schema cannot say, `validate_result` in its `runner.py` (commit 0c499034).
"""

from __future__ import annotations

from typing import Any

import pytest

TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
MOMENT = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"}
REQUIRED = {
    "schema": {"const": "classroom50/result/v1"},
    "classroom": TEXT,
    "assignment": TEXT,
    "assignment_type": {"enum": ["individual", "group"]},
    "owner": TEXT,
    "submission": {"type": "string", "pattern": "^submit/"},
    "commit": TEXT,
    "release": TEXT,
    "review": TEXT,
    "datetime": MOMENT,
    "score": COUNT,
    "max-score": COUNT,
    "tests": {"type": "array", "items": {"$ref": "#/$defs/test"}},
}
OPTIONAL = {"graded_at": MOMENT, "submitted_by": {"$ref": "#/$defs/pusher"}}
TEST = {"test-name": TEXT, "passed": {"type": "boolean"}, "score": COUNT, "max-score": COUNT}
PUSHER = {"username": TEXT, "id": {"type": ["integer", "null"]}}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": list(REQUIRED),
    "properties": {**REQUIRED, **OPTIONAL},
    "additionalProperties": False,
    "$defs": {
        "test": {"type": "object", "required": list(TEST), "properties": TEST},  # more may stand in it
        "pusher": {
            "type": "object",
            "required": ["username"],
            "properties": PUSHER,
            "additionalProperties": False,
        },
    },
}
MOST_BYTES = 10 * 1024 * 1024  # its collector reads no larger result (`MAX_RESULT_BYTES`)


def problems(result: Any) -> list[str]:
    """What Classroom 50 would find wrong with a result."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(result)]
    if not found:
        scores = [result, *result["tests"]]
        found += [f"{s['score']} of {s['max-score']}" for s in scores if s["score"] > s["max-score"]]
    return found
