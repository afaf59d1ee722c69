"""The lock of a worker: what its filter lets through, on both architectures, and what a locked process can do."""

import errno
import os
import struct
import subprocess
import sys

import pytest

seccompy = pytest.importorskip("seccompy", reason="the lock is made with seccompy")

from handgrad.sandbox import lock  # noqa: E402

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
NO_SUCH_CALL = 0x00050000 | errno.ENOSYS
ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386, X32 = 0x40000003, 0x40000000

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="seccomp and Landlock are Linux's")


def answer(program: bytes, arch: int, number: int, *arguments: int) -> int:
    """What the kernel would answer to one system call: a reading of classic BPF, as far as it is used here."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, arch, 0, *(a & 0xFFFFFFFFFFFFFFFF for a in padded))
    code = list(struct.iter_unpack("<HBBI", program))
    register, at = 0, 0
    while True:
        operation, if_true, if_false, k = code[at]
        at += 1
        match operation:
            case 0x20:
                (register,) = struct.unpack_from("<I", data, k)
            case 0x54:
                register &= k
            case 0x05:
                at += k
            case 0x06:
                return k
            case 0x15 | 0x25 | 0x35 | 0x45:
                holds = {
                    0x15: register == k,
                    0x25: register > k,
                    0x35: register >= k,
                    0x45: bool(register & k),
                }
                at += if_true if holds[operation] else if_false
            case _:
                raise AssertionError(f"unknown instruction {operation:#x}")


@pytest.fixture(params=sorted(ARCHES))
def machine(request, monkeypatch):
    """A machine by name: its filter, its audit number and its table of system calls."""
    monkeypatch.setattr("platform.machine", lambda: request.param)
    table = getattr(seccompy.syscalls, f"{request.param.upper()}_SYSCALLS")
    return lock._filter_code(), ARCHES[request.param], table


def test_only_listed_calls_are_allowed(machine):
    """Of every number below 1024, those of the list are allowed and no other."""
    program, arch, table = machine
    wanted = {table[name] for name in lock.ALLOWED if name in table}
    conditional = {table[name] for name in ("mmap", "mprotect", "prlimit64")}

    allowed = {number for number in range(1024) if answer(program, arch, number) == ALLOW}

    assert allowed == wanted | conditional


def test_all_else_is_refused_not_killed(machine):
    """An unknown or forbidden call answers EPERM, so that a try/except in honest code still works."""
    program, arch, table = machine
    names = "openat execve clone socket connect kill tgkill ptrace process_vm_readv io_uring_setup bpf keyctl"
    names += " mount unshare setns memfd_create pidfd_open fcntl ioctl dup newfstatat readlinkat prctl"

    answers = {answer(program, arch, table[name]) for name in names.split()}

    assert answers == {REFUSE}


def test_clone3_does_not_exist(machine):
    """The C library takes ENOSYS as the sign to use clone, which is refused."""
    program, arch, table = machine

    got = answer(program, arch, table["clone3"], 88)

    assert got == NO_SUCH_CALL


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("mmap", (0, 4096, 3, 0x22), ALLOW),
        ("mmap", (0, 4096, 5, 0x22), REFUSE),
        ("mprotect", (0, 4096, 7), REFUSE),
        ("mprotect", (0, 4096, 3 | 4 << 32), ALLOW),
        ("prlimit64", (0, 7, 0, 1), ALLOW),
        ("prlimit64", (0, 7, 1, 0), REFUSE),
        ("prlimit64", (1234, 7, 0, 1), REFUSE),
        ("prlimit64", (1 << 32, 7, 0, 1), REFUSE),
    ],
)
def test_conditions_on_arguments(machine, name, arguments, wanted):
    """Memory is never executable, and limits are read, of oneself, never set."""
    program, arch, table = machine

    got = answer(program, arch, table[name], *arguments)

    assert got == wanted


def test_foreign_numbering_kills(machine):
    """A call by another architecture's numbers ends the process."""
    program, _, table = machine

    answers = {answer(program, I386, number) for number in range(600)}

    assert answers == {KILL}


def test_x32_kills():
    """A call with the x32 bit ends the process on x86_64, whatever its number."""
    if lock.os.uname().machine != "x86_64":
        pytest.skip("x32 is a part of x86_64")
    program = lock._filter_code()

    answers = {answer(program, ARCHES["x86_64"], X32 | number) for number in (*range(600), X32 - 1)}

    assert answers == {KILL}


def test_every_listed_name_exists(machine):
    """No allowed name is misspelt: each is in the architecture's table, or known to be x86's alone."""
    _, _, table = machine

    unknown = {name for name in lock.ALLOWED if name not in table}

    assert unknown <= lock.X86_ONLY


def locked(level: int, code: str, paths=(), setup="pass") -> str:
    """What `code` prints in a process locked at `level`, after the self-test; its error text otherwise."""
    script = f"""
import os, sys, resource
sys.path[:0] = {[p for p in sys.path if p]!r}
from handgrad.sandbox import lock
import _socket, mmap, ctypes, threading, signal, fcntl
ready = lock.prepare({level})
read, write = os.pipe()
if os.fork() == 0:
    said = ''
    try:
        {setup}
        ready.apply()
        said = lock.self_test({list(paths)!r})
        {code}
    except BaseException as error:
        said += f'{{type(error).__name__}}: {{error}}'
    os.write(write, said.encode())
    os._exit(0)
os.close(write)
print(os.read(read, 4000).decode(), os.wait()[1], sep='|')
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def needs(level: int) -> None:
    """Skip, with the reason, where this machine lacks `level`."""
    if lock.best_level() < level:
        pytest.skip(lock._missing(level))


@linux
@pytest.mark.parametrize("level", [2, 3])
def test_self_test_finds_nothing_open(level, tmp_path):
    """After the lock, everything that the self-test tries fails."""
    needs(level)
    secret = tmp_path / "a grader.py"
    secret.write_text("assert True")

    said = locked(level, "pass", [str(secret), __file__])

    assert said == "|0"


@linux
def test_self_test_names_what_is_open(tmp_path):
    """Without the lock the self-test says what is possible, so it can fail."""
    secret = tmp_path / "grader.py"
    secret.write_text("assert True")

    said = locked(1, "pass", [str(secret)])

    assert said == f"a locked worker could still open `{secret}`|0"


@linux
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd')",
        "os.listdir('/')",
        "os.stat('/etc/passwd')",
        "os.kill(os.getpid(), 9)",
        "signal.raise_signal(9)",
        "os.setuid(0)",
        "os.memfd_create('x')",
        "os.pipe()",
        "os.execv('/bin/true', ['true'])",
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
        "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))",
        "fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())",
        "os.setsid()",
        "signal.setitimer(signal.ITIMER_REAL, 1)",
    ],
)
def test_locked_process_is_refused(level, code):
    """Each of these raises an error of the system's in a locked process, and the process goes on."""
    needs(level)

    said = locked(level, code)

    assert any(word in said for word in ("Errno 1]", "Errno 13]", "not permitted", "not allowed"))
    assert said.endswith("|0")


@linux
@pytest.mark.parametrize("level", [2, 3])
def test_locked_process_starts_no_thread(level):
    """A thread would be a way round every limit that counts one process."""
    needs(level)

    said = locked(level, "threading.Thread(target=print).start()")

    assert said == "RuntimeError: can't start new thread|0"


@linux
@pytest.mark.parametrize("level", [2, 3])
def test_locked_process_can_still_work(level):
    """Memory, clocks, sleep and random bytes are left."""
    needs(level)

    said = locked(
        level, "import time; x = bytearray(1 << 26); time.sleep(0.001); os.urandom(8); said = str(len(x))"
    )

    assert said == f"{1 << 26}|0"


@linux
def test_x32_call_ends_the_process():
    """A call with the x32 bit is not answered: the process is ended by SIGSYS."""
    needs(2)
    if os.uname().machine != "x86_64":
        pytest.skip("x32 is a part of x86_64")

    said = locked(2, "ctypes.CDLL(None).syscall(0x40000000 + 39)")

    assert said.startswith("|") and int(said[1:]) & 0x7F == 31


@linux
def test_threads_of_an_import_stop_the_lock():
    """A worker with a second thread is not locked by halves: it says so and ends."""
    needs(3)
    script = """
import os, sys, threading
sys.path[:0] = %r
from handgrad.sandbox import lock
ready = lock.prepare(3)
if os.fork() == 0:
    gate = threading.Lock(); gate.acquire()
    threading.Thread(target=gate.acquire, daemon=True).start()
    try: ready.apply()
    except lock.LockError as error: print(error, flush=True)
    os._exit(0)
os.wait()
""" % [p for p in sys.path if p]

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, timeout=60
    )

    assert done.stdout == "the worker has 2 threads where it must have 1: an import started them\n"


def test_missing_library_is_an_error_not_a_lower_level(monkeypatch):
    """Level 2 without seccompy raises; nothing goes on at level 1 in silence."""
    monkeypatch.setitem(sys.modules, "seccompy", None)

    with pytest.raises(lock.LockError, match="install"):
        lock.prepare(2)


def test_kernel_without_landlock_gives_level_2(monkeypatch):
    """The best level is what the kernel gives, and level 3 is refused with the reason."""
    needs(2)
    landlockpy = pytest.importorskip("landlockpy")
    monkeypatch.setattr(landlockpy, "abi_version", lambda: 0)

    assert lock.best_level() == 2
    with pytest.raises(lock.LockError, match="no Landlock"):
        lock.prepare(3)


def test_other_systems_give_level_1(monkeypatch):
    """macOS and Windows give level 1, and the text names the way to more."""
    monkeypatch.setattr(lock.sys, "platform", "darwin")

    lines = lock.describe()

    assert lock.best_level() == 1
    assert lines[0].startswith("this machine gives level 1")
    assert any("WSL2" in line for line in lines)


def test_description_names_old_landlock_gaps(monkeypatch):
    """An old ABI is told with what it leaves to seccomp."""
    needs(3)
    import landlockpy

    monkeypatch.setattr(landlockpy, "abi_version", lambda: 3)

    text = "\n".join(lock.describe())

    assert "ABI 3" in text
    assert "TCP from ABI 4" in text


def test_level_1_changes_nothing():
    """Below level 2 the lock does nothing, and says so by its level."""
    ready = lock.prepare(1)

    ready.apply()

    assert ready.level == 1
    assert os.access(__file__, os.R_OK)


@linux
def test_lock_holds_where_etc_passwd_does_not_exist(tmp_path):
    """In a container of almost nothing the lock is proved with what is always there: the root folder."""
    needs(3)
    if os.geteuid() != 0 or not hasattr(os, "chroot"):
        pytest.skip("only root can change the root folder")

    said = locked(3, "pass", setup=f"os.chroot({str(tmp_path)!r})")

    assert said == "|0"
