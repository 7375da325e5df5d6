"""The repository as contributors meet it: pre-commit hooks, pinned images, release notes, names."""

import hashlib
import os
import re
import sys
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import yaml

from tests.programs import ROOT, run_program, run_python

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read_text(path: Path | str) -> str:
    return (ROOT / path).read_text()


def test_pages_say_the_zone_of_every_time():
    """Times are in the site's zone. A line with several times may name it once, with `date:"T"`."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if "admin" in path.parts:  # only staff see these pages
            continue
        for line in path.read_text().splitlines():
            assert not re.search(r'(date|time):"[^"]*H:i(:s)?"', line) or 'date:"T"' in line, path


def test_the_shell_accepts_the_same_pythons():
    least, below = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    shell = (ROOT / "bin/environment.sh").read_text()
    assert f"not (3, {least}) <= sys.version_info < (3, {below})" in shell


def test_every_pre_commit_hook_is_installed():
    [repository] = yaml.safe_load(read_text(".pre-commit-config.yaml"))["repos"]
    for hook in repository["hooks"]:
        program = ROOT / hook["entry"].split()[0]
        assert (Path(sys.executable).parent / program.name).exists(), hook["id"]


# A stand-in for docker buildx: its digest is the hash of the image's name. With AWAY set, it fails for nginx.
REGISTRY = """#!/bin/sh
[ "$1 $2 $3 $4" = "buildx imagetools inspect --format" ] || exit 2
case $6 in nginx:*) [ -z "${AWAY:-}" ] || exit 1 ;; esac
printf 'sha256:%s\\n' "$(printf %s "$6" | sha256sum | cut -c1-64)"
"""


@pytest.fixture
def pin(tmp_path):
    """Return a function that runs tools/pin_images.py on a copy of the files that it writes."""
    places = run_path(str(ROOT / "tools/pin_images.py"))["PLACES"]
    for name in ("tools/pin_images.py", *places):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text((ROOT / name).read_text())
    docker = tmp_path / "bin/docker"
    docker.parent.mkdir()
    docker.write_text(REGISTRY)
    docker.chmod(0o755)
    path = f"{docker.parent}:{os.environ['PATH']}"

    def run(*arguments, **variables):
        command = (sys.executable, "tools/pin_images.py", *arguments)
        finished = run_program(*command, cwd=tmp_path, env={"PATH": path, **variables})
        texts = {name: (tmp_path / name).read_text() for name in places}
        return finished.returncode, finished.stdout.splitlines(), texts

    return run


# Written independently of the tool's own patterns.
USES = re.compile(
    r'^ARG BASE_IMAGE=(\S+)|^    image: ([^$\s]+)$|^    \w+: (\S+/\S+:\S+)$|"image": "(\S+)"',
    re.MULTILINE,
)


def images_of(texts):
    found = [use for text in texts.values() for uses in USES.findall(text) for use in uses if use]
    return [use.partition("@") for use in found]


def test_every_foreign_image_is_pinned_by_digest(pin):
    names = {name for name, _at, _digest in images_of(pin("--check")[2])}
    assert len(names) > 10
    code, told, texts = pin()
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in sorted(names)}
    assert told == [f"{name}@sha256:{digest}" for name, digest in digests.items()]
    assert code == 0
    assert {"".join(use) for use in images_of(texts)} == set(told)
    assert pin("--check")[:2] == (0, [])
    # Pinning again changes nothing.
    assert pin() == (0, told, texts)
    for name, text in texts.items():
        pinned, given = (re.sub(r"@sha256:\w{64}", "", one) for one in (text, read_text(name)))
        assert pinned == given


def test_pinning_writes_nothing_without_the_registry(pin):
    before = pin("--check")[2]
    code, told, after = pin(AWAY="1")
    assert (code, told, after) == (1, [], before)


def test_the_release_notes_are_those_of_this_version():
    notes = run_python("tools/release_notes.py", PROJECT["version"], check=True).stdout
    assert "\n### Players\n" in notes
    assert "\n## " not in notes


def test_few_names_mean_several_things():
    """tools/words.py limits class names shared by packages, functions in `_of`, and verbs of this project only."""
    finished = run_python("tools/words.py", "--list")
    assert finished.returncode == 0, finished.stdout


@pytest.mark.parametrize("version", ["0.0.1", "main", ""])
def test_release_notes_refuse_another_version(version):
    finished = run_python("tools/release_notes.py", version)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert f"which is {PROJECT['version']}" in finished.stderr
