"""The package contains each file that its apps read."""

import tomllib

import pytest

from tests.processes.running import ROOT


@pytest.mark.once
def test_every_file_of_the_apps_is_in_the_package() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    apps = [ROOT / pattern.removesuffix("*") for pattern in tool["packages"]["find"]["include"]]
    files = {path for app in apps for path in app.rglob("*") if path.is_file() and "__pycache__" not in path.parts}

    packages = [path.parent for path in files if path.name == "__init__.py"]
    packed = {path for package in packages for pattern in tool["package-data"]["*"] for path in package.glob(pattern)}

    assert len(apps) == 6
    assert {path for path in files if path.suffix != ".py"} == {path for path in packed if path.is_file()}
    assert all((path.parent / "__init__.py").exists() for path in files if path.suffix == ".py")
