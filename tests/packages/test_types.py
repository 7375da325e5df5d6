"""The TypeScript types as users install them, checked by the compiler."""

import json
import re
import subprocess
import sys

import pytest

from packages import build
from packages.build import JSON2TS, ROOT, read_version

TSC = ROOT / "node_modules/.bin/tsc"

pytestmark = pytest.mark.skipif(not JSON2TS.exists(), reason="npm has installed no json2ts here")


def unpack_types(types, folder):
    """Unpack the archive of types as npm does. Return its folder."""
    (folder / "node_modules").mkdir()
    unpack = ["tar", "-xzf", types, "-C", folder / "node_modules"]
    subprocess.run(unpack, check=True)  # tarfile needs a filter, which Python 3.11.3 lacks
    (folder / "node_modules/package").rename(folder / "node_modules/openrummy-types")
    return folder


@pytest.fixture(scope="module")
def project(types, tmp_path_factory):
    return unpack_types(types, tmp_path_factory.mktemp("program"))


def test_the_types_are_not_left_out_without_npm(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "JSON2TS", tmp_path / "json2ts")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(FileNotFoundError, match="There is no npm in"):
        build.build_types(tmp_path / "dist")


def compile_types(project, code):
    """Return the compiler's errors for this code."""
    (project / "program.ts").write_text(code)
    options = "--noEmit --strict --module esnext --moduleResolution bundler --skipLibCheck false"
    finished = subprocess.run(
        [TSC, *options.split(), "program.ts"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.stdout


@pytest.fixture(scope="module")
def example():
    text = (ROOT / "packages/types/README.md").read_text()
    [code] = re.findall(r"```ts\n(.*?)```", text, re.DOTALL)
    return code


def test_the_example_of_the_readme_compiles(project, example):
    assert compile_types(project, example) == ""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('type: "hello"', 'type: "hullo"'),
        ("v: 0", 'v: "0"'),
        ('epoch: "", ', ""),
        ('"bye"', '"good-bye"'),
        ("answer.socket", "answer.sockets"),
        ("Problem, Seated", "Problem, Seatd"),
    ],
)
def test_the_compiler_finds_wrong_types(project, example, right, wrong):
    assert right in example
    assert "error TS" in compile_types(project, example.replace(right, wrong, 1))


def test_the_archive_has_the_version_and_the_licence(project):
    package = project / "node_modules/openrummy-types"
    assert json.loads((package / "package.json").read_text())["version"] == read_version()
    assert {path.name for path in package.iterdir()} == {
        "LICENSE", "README.md", "api.d.ts", "package.json", "protocol.d.ts", "protocol.js",
    }  # fmt: skip
