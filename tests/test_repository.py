"""The repository for strangers: checks that run for them, templates, releases."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
YAML = [ROOT / ".pre-commit-config.yaml", *sorted(ROOT.glob(".github/**/*.yml"))]


def read(path: Path | str) -> Any:
    return yaml.safe_load((ROOT / path).read_text())


def notes_of(version: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/release_notes.py", version]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_every_file_of_the_repository_is_yaml(path):
    assert isinstance(read(path), dict)


def test_the_checks_run_on_every_python_that_is_allowed_and_on_the_oldest_postgresql():
    job = read(".github/workflows/checks.yml")["jobs"]["test"]
    pythons = job["strategy"]["matrix"]["python"]
    least, below = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    assert pythons == [f"3.{minor}" for minor in range(int(least), int(below))]
    more = job["strategy"]["matrix"]["include"]
    assert {one["postgres"] for one in more} == {"15", "18"}
    assert "PostgreSQL 15 or newer" in (ROOT / "docs/install-debian.md").read_text()


def test_the_checks_run_every_stage_of_the_script():
    matrix = read(".github/workflows/checks.yml")["jobs"]["test"]["strategy"]["matrix"]
    run = {*matrix["stage"], *(one["stage"] for one in matrix["include"])}
    script = (ROOT / "bin/checks").read_text()
    stages = set(re.findall(r"^  (\w+)\)", script, re.M)) - {"all"}
    assert {stage.partition(" ")[0] for stage in run} == stages
    assert {stage for stage in run if " " in stage} == {"database 1/2", "database 2/2"}


def test_the_shell_allows_the_same_pythons():
    least, below = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    shell = (ROOT / "bin/environment.sh").read_text()
    assert f"not (3, {least}) <= sys.version_info < (3, {below})" in shell


def test_a_commit_is_checked_with_the_tools_of_the_checks():
    [repository] = read(".pre-commit-config.yaml")["repos"]
    for hook in repository["hooks"]:
        program = ROOT / hook["entry"].split()[0]
        assert (Path(sys.executable).parent / program.name).exists(), hook["id"]


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_an_action_is_the_commit_that_was_looked_at(path):
    used = re.findall(r"uses: (.*)", path.read_text())
    assert used
    for one in used:
        assert re.fullmatch(r"\./\S+|[\w/-]+@[0-9a-f]{40} # v[\d.]+", one), one


def test_one_action_is_one_commit():
    used = {one for path in WORKFLOWS for one in re.findall(r"uses: (\S+@\S+)", path.read_text())}
    assert len(used) == len({one.partition("@")[0] for one in used})


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_unless_a_job_says_otherwise(path):
    assert read(path)["permissions"] == {"contents": "read"}


def test_nothing_is_published_before_the_checks_are_green():
    jobs = read(".github/workflows/release.yml")["jobs"]
    assert jobs.pop("checks") == {"uses": "./.github/workflows/checks.yml"}
    assert jobs
    for job in jobs.values():
        needed = job["needs"]
        while needed != "checks":
            needed = jobs[needed]["needs"]
    checks = (ROOT / ".github/workflows/checks.yml").read_text()
    assert "  workflow_call:\n" in checks


def test_an_image_says_what_it_is_made_of_and_where():
    [build] = [
        step["run"]
        for step in read(".github/workflows/release.yml")["jobs"]["image"]["steps"]
        if "buildx build" in step.get("run", "")
    ]
    for option in ("linux/amd64,linux/arm64", "--sbom=true", "--provenance=mode=max", "--push"):
        assert option in build


def test_a_release_pins_before_it_builds_and_lists_the_images():
    jobs = read(".github/workflows/release.yml")["jobs"]
    runs = [step.get("run", "") for step in jobs["image"]["steps"]]
    [pins] = [n for n, run in enumerate(runs) if "tools/pin_images.py" in run]
    [builds] = [n for n, run in enumerate(runs) if "buildx build" in run]
    [charts] = [n for n, run in enumerate(runs) if "helm package" in run]
    assert pins < builds < charts
    assert "images.txt" in jobs["packages"]["steps"][-1]["run"]


def test_every_kind_of_dependency_is_watched():
    watched = {update["package-ecosystem"] for update in read(".github/dependabot.yml")["updates"]}
    assert watched == {
        "pip",
        "npm",
        "docker",
        "docker-compose",
        "devcontainers",
        "github-actions",
    }


# What docker buildx prints, for any image the digest of its name; one that there is none of is refused.
REGISTRY = """#!/bin/sh
[ "$1 $2 $3 $4" = "buildx imagetools inspect --format" ] || exit 2
case $6 in nginx:*) [ -z "${AWAY:-}" ] || exit 1 ;; esac
printf 'sha256:%s\\n' "$(printf %s "$6" | sha256sum | cut -c1-64)"
"""


@pytest.fixture
def pin(tmp_path):
    """Run tools/pin_images.py on a copy of the files that it writes."""
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
        finished = subprocess.run(
            [sys.executable, "tools/pin_images.py", *arguments],
            cwd=tmp_path,
            env={"PATH": path, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        texts = {name: (tmp_path / name).read_text() for name in places}
        return finished.returncode, finished.stdout.splitlines(), texts

    return run


# Written apart from the patterns of the tool.
USES = re.compile(
    r'^FROM (\S+)|^    image: ([^$\s]+)$|^    \w+: (\S+/\S+:\S+)$|"image": "(\S+)"', re.MULTILINE
)


def images_of(texts):
    found = [use for text in texts.values() for uses in USES.findall(text) for use in uses if use]
    return [use.partition("@") for use in found]


def test_every_image_of_others_is_pinned_where_it_is_used(pin):
    names = {name for name, _at, _digest in images_of(pin("--check")[2])}
    assert len(names) > 10
    code, told, texts = pin()
    assert (code, told) == (
        0,
        [f"{name}@sha256:{hashlib.sha256(name.encode()).hexdigest()}" for name in sorted(names)],
    )
    assert {"".join(use) for use in images_of(texts)} == set(told)
    assert pin("--check")[:2] == (0, [])
    # Pinned again, the files stay as they are.
    assert pin() == (0, told, texts)
    without = {name: re.sub(r"@sha256:\w{64}", "", text) for name, text in texts.items()}
    assert without == {
        name: re.sub(r"@sha256:\w{64}", "", (ROOT / name).read_text()) for name in texts
    }


def test_where_a_registry_does_not_answer_nothing_is_written(pin):
    before = pin("--check")[2]
    code, told, after = pin(AWAY="1")
    assert (code, told, after) == (1, [], before)


def test_a_release_has_notes_and_they_are_this_version_s():
    finished = notes_of(PROJECT["version"])
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("### ")
    assert "\n## " not in finished.stdout


@pytest.mark.parametrize("version", ["0.0.1", "main", ""])
def test_a_tag_that_is_not_the_version_makes_no_release(version):
    finished = notes_of(version)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert f"which is {PROJECT['version']}" in finished.stderr
