"""Locks a worker in, from the inside: levels 2 (seccomp) and 3 (+ Landlock) of the sandbox.

Imported where no site-packages are (`launch.py`): it needs the standard library, seccompy and landlockpy.
`prepare` does all that is slow, once, before any fork; `Lock.apply` runs in the child after its imports and
costs a few system calls. Nothing here lowers a level: what cannot be done raises `LockError`.

What is left to a locked process: read and write the descriptors it has, memory that is not executable,
clocks, sleeping, random bytes, and ending. It cannot open, look up, list, start, connect, signal, or make
a thread: a number of threads can be bounded by no limit that an ordinary user may set for one process alone.
"""

from __future__ import annotations

import _socket
import ctypes
import errno
import mmap
import os
import sys
import types
from collections.abc import Callable, Sequence

SECCOMP_LEVEL = 2
LANDLOCK_LEVEL = 3
NOBODY = 65534

# The order is the order of the comparisons in the filter: what a request costs comes first.
_ALLOWED = """
    read write futex brk munmap mremap madvise readv writev close lseek
    exit exit_group rt_sigreturn rt_sigaction rt_sigprocmask sigaltstack restart_syscall
    clock_gettime clock_getres gettimeofday time times getrusage getrandom
    clock_nanosleep nanosleep sched_yield sched_getaffinity sysinfo
    poll ppoll select pselect6 fstat getcwd
    getpid gettid getppid getuid geteuid getgid getegid
"""
ALLOWED = tuple(_ALLOWED.split())
X86_ONLY = frozenset({"time", "poll", "select"})  # aarch64 never had them

_X32_BIT = 0x40000000
_PROT_EXEC = 0x4
_SECCOMP_SET_MODE_FILTER = 1
_EVERY_THREAD = 1  # SECCOMP_FILTER_FLAG_TSYNC
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_PDEATHSIG = 1
_CAPABILITY_VERSION_3 = 0x20080522


class LockError(Exception):
    """The lock cannot be prepared or applied. The text is one sentence."""


class Lock:
    """What a child must do to be at `level`. Made by `prepare`, applied once, after a fork."""

    __slots__ = (
        "_filter",
        "_handled",
        "_leave_root",
        "_no_capabilities",
        "_numbers",
        "_prctl",
        "_prepared_in",
        "_program",
        "_syscall",
        "level",
    )

    def __init__(self, level: int) -> None:
        """Compile the filter and look up every number. Raises LockError where the machine lacks a part."""
        self.level = level
        if level < SECCOMP_LEVEL:
            return
        missing = _missing(level)
        if missing:
            raise LockError(missing)
        import seccompy

        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.restype = ctypes.c_long
        self._syscall, self._prctl = libc.syscall, libc.prctl
        names = ("seccomp", "capset", "landlock_create_ruleset", "landlock_restrict_self")
        self._numbers = {name: seccompy.syscall_nr(name) for name in names}
        # Made here, once for all children: to make a type for ctypes takes longer than the call it is for.
        self._no_capabilities = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)()
        handled = _everything_landlock_knows() if level >= LANDLOCK_LEVEL else (0, 0, 0)
        self._handled = (ctypes.c_uint64 * 3)(*handled)
        code = _filter_code()
        self._filter = (ctypes.c_char * len(code)).from_buffer_copy(code)
        self._program = _SockFprog(len(code) // 8, ctypes.addressof(self._filter))
        self._leave_root = os.geteuid() == 0 and _nobody_is_mapped()
        self._prepared_in = os.getpid()

    def apply(self) -> None:
        """Lock this process, for good. Does nothing below level 2. Raises LockError: then it must end."""
        if self.level < SECCOMP_LEVEL:
            return
        try:
            os.chdir("/")
            _demand_one_thread()
            self._give_up_privileges()
            self._end_with_parent()
            if self.level >= LANDLOCK_LEVEL:
                self._close_every_path()
            self._load_filter()
        except OSError as error:
            raise LockError(f"the worker could not lock itself in: {error}") from None

    def _give_up_privileges(self) -> None:
        if self._leave_root:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        self._call("capset", *self._no_capabilities)
        if self._prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")

    def _end_with_parent(self) -> None:
        """Have the kernel kill this child when the process that prepared the lock dies.

        Asked for again here because changing the user forgets it. Not where the lock was prepared in this
        very process: the kernel means the thread that started it, and that one may end earlier.
        """
        if os.getpid() == self._prepared_in:
            return
        self._prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0)
        if os.getppid() != self._prepared_in:
            raise LockError("the process that started the worker is gone")

    def _close_every_path(self) -> None:
        """Landlock with no exception: no path, no TCP port, no signal and no abstract socket outside."""
        rules = self._call("landlock_create_ruleset", self._handled, ctypes.c_size_t(24), 0)
        self._call("landlock_restrict_self", rules, 0)
        os.close(rules)
        if _open("/"):  # seccomp is not loaded yet, so this asks Landlock alone
            raise LockError("Landlock is in force and a file could still be opened")

    def _load_filter(self) -> None:
        program = ctypes.byref(self._program)
        outside = self._call("seccomp", _SECCOMP_SET_MODE_FILTER, _EVERY_THREAD, program)
        if outside:
            raise LockError("a thread of the worker could not be locked in")

    def _call(self, name: str, *arguments: object) -> int:
        """One system call. Raises OSError when it fails."""
        answer = int(self._syscall(self._numbers[name], *arguments))
        if answer < 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")
        return answer


class _SockFprog(ctypes.Structure):
    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def prepare(level: int) -> Lock:
    """The lock of `level` (0-3), ready to be applied in any child. Raises LockError: never a lower lock."""
    return Lock(level)


def self_test(paths: Sequence[str]) -> str:
    """Try what a locked process must not be able to do. "" when all of it failed, else one sentence.

    `paths` are files that exist and must stay closed: the real grader, the reference. /etc/passwd is added.
    To be called after `apply`, before the learner's file arrives.
    """
    tries: list[tuple[str, Callable[[str], bool], str]] = []
    tries += [(f"open `{path}`", _open, path) for path in (*paths, "/etc/passwd")]
    tries += [(f"look up `{path}`", _look_up, path) for path in paths[:1]]
    tries += [
        ("make a socket", _connect, "inet"),
        ("make a local socket", _connect, "unix"),
        ("fork", _fork, ""),
        ("run a program", _execute, ""),
        ("signal its parent", _signal, ""),
        ("map new code", _map_code, ""),
    ]
    for what, attempt, argument in tries:
        if attempt(argument):
            return f"a locked worker could still {what}"
    return ""


def best_level() -> int:
    """The highest level this machine gives, from 1. Changes nothing."""
    for level in (LANDLOCK_LEVEL, SECCOMP_LEVEL):
        if not _missing(level):
            return level
    return 1


def describe() -> tuple[str, ...]:
    """What this machine gives, a line each, and how to get more: the text of `doctor --sandbox`."""
    level = best_level()
    lines = [f"this machine gives level {level}: {_MEANING[level]}"]
    missing = _missing(level + 1) if level < LANDLOCK_LEVEL else ""
    if missing:
        lines.append(f"level {level + 1} is not to be had: {missing}")
    if not sys.platform.startswith("linux"):
        lines.append("levels 2 and 3 need Linux: use WSL2, a container, or CI for verdicts that count")
        return tuple(lines)
    if level >= SECCOMP_LEVEL:
        lines.append(
            f"seccomp: {_count_allowed()} system calls of {os.uname().machine} are allowed, no other"
        )
    if level >= LANDLOCK_LEVEL:
        lines.append(_describe_landlock())
    lines.append(_describe_user(level))
    lines.append("levels 2 and 3 share the kernel: for strangers' code see `docs/security.md` of handgrad")
    return tuple(lines)


_MEANING = {
    1: "a process of its own with limits; files and the network stay open to the learner's code",
    2: "nothing can be opened, started, connected or signalled (seccomp)",
    3: "nothing can be opened, started, connected or signalled (seccomp), and Landlock as a second wall",
}


def _missing(level: int) -> str:
    """Why `level` cannot be had here, as one sentence with the way out; "" when it can."""
    if not sys.platform.startswith("linux"):
        return f"level {level} needs Linux, and this is `{sys.platform}`"
    reason = _missing_seccomp()
    if not reason and level >= LANDLOCK_LEVEL:
        reason = _missing_landlock()
    return reason


def _missing_seccomp() -> str:
    with _stand_ins():
        try:
            import seccompy
        except ImportError:
            return (
                "the library `seccompy` is not installed: "
                "run `make setup` in a clone of handgrad, or install it for this Python"
            )
        try:
            if not seccompy.supported() or not seccompy.flag_supported(seccompy.FilterFlag.TSYNC):
                return (
                    "this kernel has no seccomp filters: use Linux 3.17 or newer with CONFIG_SECCOMP_FILTER"
                )
            seccompy.audit_arch()
        except OSError as error:
            return f"seccomp does not answer here: {error}"
    return ""


def _missing_landlock() -> str:
    with _stand_ins():
        try:
            import landlockpy
        except ImportError:
            return (
                "the library `landlockpy` is not installed: "
                "run `make setup` in a clone of handgrad, or install it for this Python"
            )
        try:
            if landlockpy.abi_version() < 1:
                return "this kernel has no Landlock: use Linux 5.13 or newer, started with `lsm=landlock,...`"
        except OSError as error:
            return f"Landlock does not answer here: {error}"
    return ""


class _stand_ins:  # noqa: N801  (used as a word: `with _stand_ins()`)
    """While it lasts, modules that both libraries bring along and the zygote has no use for are empty ones.

    `ctypes.util` would bring subprocess and shutil into each worker, and fork a search for the C library,
    which is in this process; what the libraries have for tests brings pathlib, a seventh of the way to warm.
    """

    NAMES = ("ctypes.util", "seccompy.testing", "landlockpy.testing")

    def __enter__(self) -> None:
        self._before = {name: sys.modules.get(name) for name in self.NAMES}
        sys.modules.update({name: types.ModuleType(name) for name in self.NAMES})
        util = sys.modules["ctypes.util"]
        util.find_library = lambda name: None  # type: ignore[attr-defined]
        setattr(ctypes, "util", util)  # noqa: B010  (no type checker knows that it is an attribute)

    def __exit__(self, *exception: object) -> None:
        delattr(ctypes, "util")
        for name, module in self._before.items():  # somebody may want the real ones
            del sys.modules[name]
            if module is not None:
                sys.modules[name] = module
        if "ctypes.util" in sys.modules:
            setattr(ctypes, "util", sys.modules["ctypes.util"])  # noqa: B010


def _filter_code() -> bytes:
    """The seccomp program: packed `struct sock_filter` records, for this machine's architecture."""
    import struct

    import seccompy
    from seccompy import bpf

    rules = seccompy.Filter(default=int(seccompy.Action.ERRNO) | errno.EPERM)
    for name in _available(ALLOWED):
        rules.allow(name)
    no_code = [(2, int(seccompy.CmpOp.MASKED_EQ), 0, _PROT_EXEC)]
    rules.allow("mmap", args=no_code)
    rules.allow("mprotect", args=no_code)
    rules.allow("prlimit64", args={0: 0, 2: 0})  # read one's own limits, set none
    rules.errno("clone3", errno.ENOSYS)  # the C library then falls back to clone, which says EPERM
    program: bytes = rules.program
    if seccompy.arch() != "x86_64":
        return program
    number_is_x32 = (bpf.BPF_LD_ABS_W, 0, 0, 0), (bpf.BPF_JSET, 0, 1, _X32_BIT)
    kill = (bpf.BPF_RET_K, 0, 0, int(seccompy.Action.KILL_PROCESS))
    head = b"".join(struct.pack("<HBBI", *record) for record in (*number_is_x32, kill))
    return head + program  # jumps are relative, so a head moves none of them


def _available(names: Sequence[str]) -> list[str]:
    """Those of `names` that this architecture has. Raises LockError for one that should be there."""
    import seccompy

    found = []
    for name in names:
        try:
            seccompy.syscall_nr(name)
        except ValueError:
            if name not in X86_ONLY:
                raise LockError(f"seccompy knows no system call `{name}` on this architecture") from None
            continue
        found.append(name)
    return found


def _count_allowed() -> int:
    return len(_available(ALLOWED)) + 3  # mmap, mprotect and prlimit64, each under a condition


def _nobody_is_mapped() -> bool:
    """Whether the user `nobody` exists here: in a user namespace of one user it does not."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as text:  # noqa: PTH123  (no pathlib in the zygote)
            ranges = [tuple(map(int, line.split())) for line in text]
    except OSError:
        return True
    return any(first <= NOBODY < first + count for first, _, count in ranges)


def _demand_one_thread() -> None:
    """Landlock before ABI 8 and dropped capabilities hold for one thread only, so there must be only one."""
    try:
        threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208  (no pathlib in the zygote)
    except OSError:
        return  # no /proc here; the filter is put on every thread anyway
    if threads != 1:
        raise LockError(f"the worker has {threads} threads where it must have 1: an import started them")


def _everything_landlock_knows() -> tuple[int, int, int]:
    """All rights of files, all of ports and all scopes that both this kernel and landlockpy know."""
    import landlockpy

    with landlockpy.Ruleset(scoped=landlockpy.Scope.SIGNAL | landlockpy.Scope.ABSTRACT_UNIX_SOCKET) as rules:
        return int(rules.handled_fs), int(rules.handled_net), int(rules.scoped)


def _describe_landlock() -> str:
    import landlockpy

    abi = landlockpy.abi_version()
    more = [
        f"{what} from ABI {since}"
        for what, since in (("truncating", 3), ("TCP", 4), ("signals and abstract sockets", 6))
        if abi < since
    ]
    gap = f"; not closed by it: {', '.join(more)} (seccomp closes them)" if more else ""
    return f"Landlock: ABI {abi}, no path, port or signal is excepted{gap}"


def _describe_user(level: int) -> str:
    if os.geteuid() != 0:
        return f"user: {os.geteuid()}; the worker keeps it, without any capability"
    if level >= SECCOMP_LEVEL and _nobody_is_mapped():
        return f"user: root; the worker becomes user {NOBODY} (nobody), without any capability"
    if level >= SECCOMP_LEVEL:
        return (
            f"user: root, in a namespace without user {NOBODY}: the worker stays root, without capabilities"
        )
    return "user: root; at level 1 the learner's code is root too: use an ordinary user"


def _refused(error: OSError) -> bool:
    return error.errno in (errno.EPERM, errno.EACCES)


def _open(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError as error:
        return not _refused(error)
    return True


def _look_up(path: str) -> bool:
    try:
        os.stat(path)  # noqa: PTH116  (no pathlib in the zygote)
    except OSError as error:
        return not _refused(error)
    return True


def _connect(family: str) -> bool:
    try:
        _socket.socket(_socket.AF_INET if family == "inet" else _socket.AF_UNIX, _socket.SOCK_STREAM).close()
    except OSError as error:
        return not _refused(error)
    return True


def _fork(_: str) -> bool:
    try:
        child = os.fork()
    except OSError as error:
        return not _refused(error)
    if child == 0:
        os._exit(0)
    return True


def _execute(_: str) -> bool:
    try:
        os.execv("", ["nothing"])  # an empty name is never found, but it is asked for
    except OSError as error:
        return not _refused(error)
    return True


def _signal(_: str) -> bool:
    try:
        os.kill(os.getppid(), 0)
    except OSError as error:
        return not _refused(error)
    return True


def _map_code(_: str) -> bool:
    try:
        mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
    except OSError as error:
        return not _refused(error)
    return True
