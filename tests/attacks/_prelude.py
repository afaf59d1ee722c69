# Words for attacks: say what held and what broke, and reach system calls without an import.
import sys

try:
    import _posixshmem, _socket, ctypes, fcntl, mmap, resource, select, signal, socket, threading  # noqa
except ImportError:
    pass

_os = sys.modules["os"] if "os" in sys.modules else __import__("os")


def held(what, why=""):
    print("held:", what, why)


def broken(what, why=""):
    print("BROKEN:", what, str(why)[:2000])


def attempt(what, action):
    """Say `held` when the action raises, BROKEN when it gets through."""
    try:
        result = action()
    except Exception as error:
        held(what, f"{type(error).__name__}: {error}")
    else:
        broken(what, repr(result))


def module(name):
    """A module by any way there is: import, what is loaded, what the garbage collector knows."""
    import builtins
    import gc

    try:
        return builtins.__import__(name, fromlist=["x"])
    except BaseException:
        pass
    if name in sys.modules:
        return sys.modules[name]
    for thing in gc.get_objects():
        if type(thing) is type(sys) and thing.__name__ == name:
            return thing
    return None


NUMBERS = {
    "x86_64": dict(
        read=0, write=1, open=2, mmap=9, ioctl=16, dup=32, socket=41, connect=42, clone=56, fork=57, vfork=58,
        execve=59, kill=62, shmget=29, msgget=68, ptrace=101, personality=135, prctl=157, mount=165, sethostname=170,
        gettid=186, tkill=200, mq_open=240, keyctl=250, add_key=248, inotify_init=253, openat=257, unshare=272,
        vmsplice=278, signalfd=282, timerfd_create=283, eventfd=284, perf_event_open=298, prlimit64=302,
        name_to_handle_at=303, open_by_handle_at=304, setns=308, process_vm_readv=310, process_vm_writev=311,
        seccomp=317, memfd_create=319, bpf=321, userfaultfd=323, execveat=322, pkey_mprotect=329, io_uring_setup=425,
        pidfd_open=434, clone3=435, pidfd_getfd=438, process_madvise=440, openat2=437, landlock_create_ruleset=444,
        memfd_secret=447, futex_waitv=449, chroot=161, pivot_root=155, reboot=169, swapon=167, setuid=105,
        rt_sigqueueinfo=129, tgkill=234, sched_setscheduler=144, setpriority=141, modify_ldt=154, iopl=172,
        quotactl=179, syslog=103, settimeofday=164, sendmsg=46, sendto=44, socketpair=53, sched_setaffinity=203,
        fcntl=72, chdir=80, kexec_load=246, acct=163, init_module=175, fsopen=430, move_mount=429, open_tree=428,
    ),
    "aarch64": dict(
        read=63, write=64, mmap=222, ioctl=29, dup=23, socket=198, connect=203, clone=220, execve=221, kill=129,
        shmget=194, msgget=186, ptrace=117, personality=92, prctl=167, mount=40, sethostname=161, gettid=178,
        tkill=130, mq_open=180, keyctl=219, add_key=217, openat=56, unshare=97, vmsplice=75, perf_event_open=241,
        prlimit64=261, name_to_handle_at=264, open_by_handle_at=265, setns=268, process_vm_readv=270,
        process_vm_writev=271, seccomp=277, memfd_create=279, bpf=280, userfaultfd=282, execveat=281,
        pkey_mprotect=288, io_uring_setup=425, pidfd_open=434, clone3=435, pidfd_getfd=438, process_madvise=440,
        openat2=437, landlock_create_ruleset=444, memfd_secret=447, futex_waitv=449, chroot=51, pivot_root=41,
        reboot=142, swapon=224, setuid=146, rt_sigqueueinfo=138, tgkill=131, sched_setscheduler=119,
        setpriority=140, quotactl=60, syslog=116, settimeofday=170, sendmsg=211, sendto=206, socketpair=199,
        sched_setaffinity=122, fcntl=25, chdir=49, kexec_load=104, acct=89, init_module=105, fsopen=430,
        move_mount=429, open_tree=428,
    ),
}


def syscall(name, *arguments):
    """(answer, error number) of a raw system call; (None, 0) where this machine has no such call."""
    ctypes = module("ctypes")
    if ctypes is None:
        return None, 0
    number = name if type(name) is int else NUMBERS[_machine()].get(name)
    if number is None:
        return None, 0
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    wide = [ctypes.c_long(a) if type(a) is int else a for a in arguments]
    return libc.syscall(ctypes.c_long(number), *wide), ctypes.get_errno()


def _machine():
    try:
        return _os.uname().machine
    except OSError:
        return "x86_64" if sys.implementation._multiarch.startswith("x86_64") else "aarch64"


def refuse(name, *arguments):
    """Make a raw system call; `held` when the answer is EPERM, EACCES or ENOSYS."""
    answer, code = syscall(name, *arguments)
    if answer is None:
        held(name, "out of reach")
    elif answer == -1 and code in (1, 13, 38):
        held(name, f"error {code}")
    else:
        broken(name, f"answer {answer}, error {code}")
