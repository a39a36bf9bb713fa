"""A parent process that only supervises, and children that never outlive it.

The parent takes its signals one by one from `sigwait`. It runs no signal handlers and no threads. Therefore no signal
is lost, and the parent is in a known state at every fork. A child with threads uses `hand_over_stop()`.
"""

import ctypes
import gc
import mmap
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing import Process

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_SECONDS = 28
TRIM_SECONDS = 3
HANDLER_POLL_SECONDS = 0.01
MIB = 1024 * 1024

_WATCHED = (*STOP_SIGNALS, signal.SIGCHLD, signal.SIGALRM)
_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_M_TRIM_THRESHOLD = -1

# The time on the monotonic clock at which the drain ends, or 0 before the stop. All processes that are forked later
# share this memory.
_drain_ends_at = memoryview(mmap.mmap(-1, 8)).cast("d")


def become_parent() -> None:
    """Prepare this process for `start()` and `next_signal()`. It must have one thread and no database connection."""
    multiprocessing.set_start_method("fork")
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    # SIGCHLD is ignored by default. Some systems discard an ignored signal even while it is blocked. A handler prevents
    # that.
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    if hasattr(_libc, "mallopt"):
        # By default, glibc makes a heap for every few threads. Each heap keeps the 19 MiB of a password hash.
        _libc.mallopt(_M_ARENA_MAX, 1)
        # By default, glibc returns the memory of concurrent hashes to the system at once. The kernel then fills the
        # same pages with zeros for the next hash. `give_memory_back` returns unused memory.
        _libc.mallopt(_M_MMAP_THRESHOLD, 32 * MIB)
        _libc.mallopt(_M_TRIM_THRESHOLD, 256 * MIB)
    hooks = _ForkHooks()
    os.register_at_fork(before=hooks.before, after_in_parent=hooks.after_in_parent, after_in_child=hooks.after_in_child)


def give_memory_back(kept: Callable[[], None]) -> None:
    """Return unused memory to the system every TRIM_SECONDS, until the process ends. Without glibc, do nothing.

    `kept` returns memory that is not glibc's. glibc keeps the 19 MiB of a password hash. When other objects settle
    between them, it keeps those of a second hash too. Returning the memory after each hash would cost half the time of
    the hash.
    """
    while hasattr(_libc, "malloc_trim"):
        time.sleep(TRIM_SECONDS)
        kept()
        _libc.malloc_trim(0)


def drain(*, seconds: float) -> None:
    """Return after `seconds`. From the call on, `is_draining()` is true in this process and in all its descendants.

    Signals that arrive during the wait have no effect.
    """
    ends_at = _drain_ends_at[0] = time.monotonic() + seconds
    while (left := ends_at - time.monotonic()) > 0:
        next_signal(within=left)


def is_draining() -> bool:
    """Return whether the service has received its stop signal."""
    return _drain_ends_at[0] > 0


def hand_over_stop(*, drain_seconds: float = 0) -> None:
    """Start a thread that waits for SIGTERM and passes the first one to the handler of this process.

    The handler gets the signal at the end of the drain, and at the latest `drain_seconds` after the signal.

    Call this function in the main thread, before any other thread exists. All later threads then block the signal too.
    Otherwise the system may deliver SIGTERM to any thread, but Python runs a handler only in the main thread. A main
    thread that waits for a lock misses a signal that another thread received. It also misses a signal that arrived just
    before the wait.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    threading.Thread(target=_hand_over_stop, args=(drain_seconds,), daemon=True).start()


def _hand_over_stop(drain_seconds: float) -> None:
    signal.sigwait({signal.SIGTERM})
    # A process manager may send SIGTERM to all processes at once. The signal can arrive here before the parent has set
    # the end of the drain.
    latest = time.monotonic() + drain_seconds
    while time.monotonic() < min(latest, _drain_ends_at[0] or latest):
        time.sleep(HANDLER_POLL_SECONDS)
    # The server program installs its handler a moment after the fork.
    while not callable(handler := signal.getsignal(signal.SIGTERM)):
        time.sleep(HANDLER_POLL_SECONDS)
    # Only the first signal is passed on: granian's handler blocks on a second call and keeps the GIL.
    handler(signal.SIGTERM, None)


def start(target: Callable[[], None]) -> Process:
    """Return a started child that runs `target`. The child shares the memory of everything imported before."""
    # A garbage collection would write to every object, and each write copies shared memory. Frozen objects are exempt.
    gc.collect()
    gc.freeze()
    child = Process(target=target)
    child.start()
    return child


def next_signal(*, within: float | None = None) -> signal.Signals:
    """Wait for the next signal and return it.

    The signal is one of STOP_SIGNALS, SIGCHLD when a child may have ended, or SIGALRM after `within` seconds.
    """
    signal.setitimer(signal.ITIMER_REAL, 0 if within is None else max(within, 0.001))
    return signal.Signals(signal.sigwait(_WATCHED))


def stop(children: Sequence[Process]) -> None:
    """End the children by SIGTERM. Children that still run after GRACE_SECONDS are killed."""
    for child in children:
        child.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for child in children:
        child.join(max(0, deadline - time.monotonic()))
        if child.is_alive():
            child.kill()
            child.join()


def is_running(pid: int) -> bool:
    """Return whether a process of this user has the id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class _ForkHooks:
    """The hooks around every fork of the parent and of its descendants.

    SIGTERM ends a child from its first moment on, until the child installs a handler. On Linux, a child is killed when
    the process that forked it dies. SIGINT stays blocked in a child: Ctrl-C reaches all processes, but only the parent
    must act on it.
    """

    def __init__(self) -> None:
        self._parent = 0
        self._mask: set[int] = set()

    def before(self) -> None:
        self._parent = os.getpid()
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)

    def after_in_parent(self) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)

    def after_in_child(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if hasattr(_libc, "prctl"):
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != self._parent:
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, set(_WATCHED) - {signal.SIGINT})
