"""What becomes of a process before it is a worker, whether a zygote forked it or it was started plainly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

# What many files import, as each worker would have to otherwise; what Python itself imports when it is
# needed: for a warning, for names of other alphabets and for a "\N{..}" in a string; what sets the limits.
_WARM: Final = """math random operator functools itertools collections collections.abc typing types
dataclasses enum abc copy re weakref contextlib __future__ warnings linecache unicodedata resource
encodings.ascii encodings.latin_1"""


def warm(preload: list[str], import_modules: Callable[[list[str]], None]) -> None:
    """Import what workers need, and what Python would import later, when nothing can be opened any more."""
    import_modules(_WARM.split())
    for name in preload:
        __import__(name)


def set_limits(limits: dict[str, int]) -> None:
    """The kernel's own limits on this process: memory in bytes, and backstops for what the judge watches."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    for name, amount in (
        ("RLIMIT_AS", limits["memory_bytes"]),
        ("RLIMIT_CPU", limits["cpu_seconds"]),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", 1 << 20),
        ("RLIMIT_NOFILE", 64),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (amount, amount))
        except (AttributeError, ValueError, OSError):
            continue  # macOS refuses some
