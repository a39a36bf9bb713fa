"""Memory for Argon2 hashes that a process keeps between hashes, in huge pages where the kernel has them.

libargon2 gets the memory of a hash by a callback of its caller, and returns it by another one. It fills the memory with
zeros before it returns it.
"""

import mmap
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from _argon2_cffi_bindings import ffi, lib
from argon2.exceptions import HashingError
from argon2.low_level import ARGON2_VERSION, Type, core, error_to_str

HUGE_PAGE = 2 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class _Place:
    """The memory of one hash at a time. `start` is the address of its first huge page."""

    mapping: mmap.mmap
    start: Any
    size: int
    is_recent: bool = True


class HashMemory:
    """The places of a process. A hash takes the place that was used last, or a new one.

    So there are no more places than hashes at a time. Each thread computes one hash at a time. A forked process gets
    copies of the free places.
    """

    def __init__(self) -> None:
        self._free: deque[_Place] = deque()
        self._of_thread = threading.local()
        self._allocate = ffi.callback("int(uint8_t **, size_t)", self._lend)
        self._release = ffi.callback("void(uint8_t *, size_t)", self._take_back)

    def compute(self, password: bytes, *, salt: bytes, memory: int, passes: int, length: int) -> bytes:
        """Return the Argon2id digest with one lane. `memory` is in KiB.

        Raises MemoryError when the system gives no memory, and HashingError for costs that libargon2 refuses.
        """
        digest = ffi.new("uint8_t[]", length)
        # The context holds only addresses, so the names keep the copies alive during the call.
        secret, salted = ffi.new("uint8_t[]", password), ffi.new("uint8_t[]", salt)
        context = ffi.new(
            "argon2_context *",
            {
                "out": digest,
                "outlen": length,
                "pwd": secret,
                "pwdlen": len(password),
                "salt": salted,
                "saltlen": len(salt),
                "t_cost": passes,
                "m_cost": memory,
                "lanes": 1,
                "threads": 1,
                "version": ARGON2_VERSION,
                "allocate_cbk": self._allocate,
                "free_cbk": self._release,
                "flags": lib.ARGON2_DEFAULT_FLAGS,
            },
        )
        status = core(context, Type.ID.value)
        if status == lib.ARGON2_MEMORY_ALLOCATION_ERROR:
            raise MemoryError
        if status != lib.ARGON2_OK:
            raise HashingError(error_to_str(status))
        return bytes(ffi.buffer(digest))

    def give_back_unused(self) -> None:
        """Return the places to the system that no hash has used since the last call."""
        places = []
        # Another thread can take or return a place at any time.
        while self._free:
            try:
                places.append(self._free.pop())
            except IndexError:
                break
        for place in places:
            if place.is_recent:
                place.is_recent = False
                self._free.appendleft(place)

    def _lend(self, memory: Any, size: int) -> int:
        # An exception cannot pass libargon2, so the status reports it.
        try:
            place = self._take(size)
        except (OSError, OverflowError):
            return int(lib.ARGON2_MEMORY_ALLOCATION_ERROR)
        place.is_recent = True
        self._of_thread.place = place
        memory[0] = place.start
        return int(lib.ARGON2_OK)

    def _take_back(self, _memory: Any, _size: int) -> None:
        self._free.append(self._of_thread.place)
        del self._of_thread.place

    def _take(self, size: int) -> _Place:
        try:
            place = self._free.pop()
        except IndexError:
            return _map(size)
        return place if place.size >= size else _map(size)


def _map(size: int) -> _Place:
    """Return new memory. Raises OSError when the system has none, and OverflowError beyond its addresses."""
    # A huge page starts at a multiple of its size. The mapping has room for such a start and for whole huge pages.
    whole = -(-size // HUGE_PAGE) * HUGE_PAGE
    mapping = mmap.mmap(-1, whole + HUGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    # A kernel without huge pages refuses the advice. The memory then has small pages.
    with suppress(AttributeError, OSError):
        mapping.madvise(mmap.MADV_HUGEPAGE)
    first = ffi.cast("uint8_t *", ffi.from_buffer(mapping))
    start = first + -int(ffi.cast("uintptr_t", first)) % HUGE_PAGE
    return _Place(mapping=mapping, start=start, size=whole)
