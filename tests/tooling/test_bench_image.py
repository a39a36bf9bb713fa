"""`./dev bench --image`: a measured process computes its hashes as the server does."""

from pathlib import Path

import _argon2_cffi_bindings
import pytest

from accounts.passwords import argon2id
from tests.load.image import hash_cost
from tests.load.service import environment

pytestmark = pytest.mark.once


def test_a_process_with_the_build_of_the_image_chooses_as_the_server_does(tmp_path: Path) -> None:
    variables = environment(database_url=f"sqlite:///{tmp_path}/auth.sqlite3", directory=tmp_path)
    # Without a choice, a build in a directory of this name computes the hashes without memory of its own.
    build = tmp_path / argon2id.FAST_BUILD
    build.mkdir()
    (build / "_argon2_cffi_bindings").symlink_to(Path(_argon2_cffi_bindings.__file__).parent)

    milliseconds, way = hash_cost({**variables, "PYTHONPATH": str(build)})

    assert milliseconds > 0
    assert way in {"pynacl", "own"}
