"""Zip archives that are the same bytes each time: no times, no order of a disk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Final

_TIME: Final = (1980, 1, 1, 0, 0, 0)  # the earliest an archive can say


def make_archive(files: Mapping[str, bytes]) -> bytes:
    """The files, by path, as a zip archive; what begins with `#!` may be run."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            mode = 0o100755 if files[name].startswith(b"#!") else 0o100644
            entry.external_attr = mode << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
