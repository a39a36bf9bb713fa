"""A parent process that only watches, and children that never outlive it.

The parent takes its signals one by one from `sigwait`: without handlers and threads there is no moment at which a
signal is lost, and every fork finds it in a known state. A child with threads uses `hand_over_stop()`.
"""

import ctypes
import gc
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

_WATCHED = (*STOP_SIGNALS, signal.SIGCHLD, signal.SIGALRM)
_libc = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_M_ARENA_MAX = -8


def become_parent() -> None:
    """Prepare this process, which has one thread and no connection, for `start()` and `next_signal()`."""
    multiprocessing.set_start_method("fork")
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    # Some systems discard a signal that is ignored, as this one is by default, even while it is blocked.
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    if hasattr(_libc, "mallopt"):
        # Else glibc gives every few threads a heap of their own, and each keeps the 19 MiB that a password hash took.
        _libc.mallopt(_M_ARENA_MAX, 1)
    bond = _Bond()
    os.register_at_fork(before=bond.before, after_in_parent=bond.after_in_parent, after_in_child=bond.after_in_child)


def give_memory_back() -> None:
    """Return to the system, every few seconds and for as long as this process lives, what it has freed.

    glibc keeps the 19 MiB that a password hash took, and as other things settle in between, those of a second one. To
    return them after each hash costs half as much again as the hash itself.
    """
    while hasattr(_libc, "malloc_trim"):
        time.sleep(TRIM_SECONDS)
        _libc.malloc_trim(0)


def hand_over_stop() -> None:
    """Let a thread of its own wait for SIGTERM and pass the first one to the handler of this process.

    Call it in the main thread, before any other thread exists. All later threads block the signal too. Without this,
    the system may deliver SIGTERM to any thread, but Python runs a handler in the main thread alone. A main thread that
    waits for a lock does not notice a signal that another thread received, or that arrived just before the wait.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    threading.Thread(target=_hand_over_stop, daemon=True).start()


def _hand_over_stop() -> None:
    signal.sigwait({signal.SIGTERM})
    # The server program installs its handler a moment after the fork.
    while not callable(handler := signal.getsignal(signal.SIGTERM)):
        time.sleep(HANDLER_POLL_SECONDS)
    # Once: granian's handler blocks on a second call, and keeps the GIL.
    handler(signal.SIGTERM, None)


def start(target: Callable[[], None]) -> Process:
    """Return a child that runs `target`, sharing the memory of all that was imported before."""
    # A collection would write to every object, and with that copy all of the memory that is shared.
    gc.collect()
    gc.freeze()
    child = Process(target=target)
    child.start()
    return child


def next_signal(*, within: float | None = None) -> signal.Signals:
    """Return the next signal: one of STOP_SIGNALS, SIGCHLD when a child may have ended, SIGALRM after that many seconds."""
    signal.setitimer(signal.ITIMER_REAL, 0 if within is None else max(within, 0.001))
    return signal.Signals(signal.sigwait(_WATCHED))


def stop(children: Sequence[Process]) -> None:
    """End the children: they are asked to, and killed when they have not by GRACE_SECONDS."""
    for child in children:
        child.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for child in children:
        child.join(max(0, deadline - time.monotonic()))
        if child.is_alive():
            child.kill()
            child.join()


class _Bond:
    """What happens around every fork of the parent and of its descendants, whoever forks.

    A SIGTERM ends a child from its first moment on, until it says what else should happen. The death of the process that
    forked it kills it, where the system (Linux) offers that. SIGINT stays blocked: a Ctrl-C reaches all processes, but only the parent is to act on it.
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
