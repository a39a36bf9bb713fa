import os
from contextlib import suppress

import pytest

from askai import ask
from core.errors import Overloaded


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_room_for_all_its_questions() -> None:
    with ask._slots.taken(at_once=1, threads=1, seconds=0):
        child = os.fork()
        if child == 0:
            with suppress(Overloaded), ask._slots.taken(at_once=1, threads=1, seconds=0):
                os._exit(0)
            os._exit(1)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
