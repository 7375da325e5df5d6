"""The repository for strangers: checks that run for them, templates, releases."""

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
YAML = [ROOT / ".pre-commit-config.yaml", *sorted(ROOT.glob(".github/**/*.yml"))]


def read_text(path: Path | str) -> str:
    return (ROOT / path).read_text()


def read(path: Path | str) -> Any:
    return yaml.safe_load(read_text(path))


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_every_yaml_file_is_valid(path):
    assert isinstance(read(path), dict)


def test_pages_say_the_zone_of_every_time():
    """Times are in the site's zone. A list of them may say it once, by `date:"T"` in the same line."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        if "admin" in path.parts:  # staff
            continue
        for line in path.read_text().splitlines():
            assert not re.search(r'(date|time):"[^"]*H:i(:s)?"', line) or 'date:"T"' in line, path


def test_the_checks_cover_every_supported_python_and_postgresql():
    job = read(".github/workflows/checks.yml")["jobs"]["test"]
    pythons = job["strategy"]["matrix"]["python"]
    least, below = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    assert pythons == [f"3.{minor}" for minor in range(int(least), int(below))]
    more = job["strategy"]["matrix"]["include"]
    assert {one["postgres"] for one in more} == {"15", "18"}
    assert "PostgreSQL 15 or newer" in (ROOT / "docs/install-debian.md").read_text()


def test_both_commands_run_nightly_on_new_machines_as_root_and_without_rights():
    job = read(".github/workflows/checks.yml")["jobs"]["fresh"]
    matrix = job["strategy"]["matrix"]
    assert (matrix["image"], matrix["user"]) == (["debian:12", "debian:13"], ["root", "player"])
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    assert "bin/run &" in commands
    assert "bin/test\n" in f"{commands}\n"


def test_the_checks_run_every_stage_of_the_script():
    matrix = read(".github/workflows/checks.yml")["jobs"]["test"]["strategy"]["matrix"]
    run = {*matrix["stage"], *(one["stage"] for one in matrix["include"])}
    script = (ROOT / "bin/checks").read_text()
    stages = set(re.findall(r"^  (\w+)\)", script, re.M)) - {"all"}
    assert {stage.partition(" ")[0] for stage in run} == stages
    assert {stage for stage in run if " " in stage} == {"database 1/2", "database 2/2"}


def test_the_shell_accepts_the_same_pythons():
    least, below = re.findall(r"3\.(\d+)", PROJECT["requires-python"])
    shell = (ROOT / "bin/environment.sh").read_text()
    assert f"not (3, {least}) <= sys.version_info < (3, {below})" in shell


def test_every_pre_commit_hook_is_installed():
    [repository] = read(".pre-commit-config.yaml")["repos"]
    for hook in repository["hooks"]:
        program = ROOT / hook["entry"].split()[0]
        assert (Path(sys.executable).parent / program.name).exists(), hook["id"]


WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_its_actions_to_commits_and_may_only_read_by_default(path):
    used = re.findall(r"uses: (.*)", path.read_text())
    assert used
    for one in used:
        assert re.fullmatch(r"\./\S+|[\w/-]+@[0-9a-f]{40} # v[\d.]+", one), one
    assert read(path)["permissions"] == {"contents": "read"}


def test_an_action_has_the_same_pin_everywhere():
    used = {one for path in WORKFLOWS for one in re.findall(r"uses: (\S+@\S+)", path.read_text())}
    assert len(used) == len({one.partition("@")[0] for one in used})


def test_every_release_job_needs_the_checks():
    jobs = read(".github/workflows/release.yml")["jobs"]
    assert jobs.pop("checks") == {"uses": "./.github/workflows/checks.yml"}
    assert jobs
    for job in jobs.values():
        needed = job["needs"]
        while needed != "checks":
            needed = jobs[needed]["needs"]
    checks = (ROOT / ".github/workflows/checks.yml").read_text()
    assert "  workflow_call:\n" in checks


def test_the_image_is_published_with_sbom_and_provenance():
    steps = read(".github/workflows/release.yml")["jobs"]["image"]["steps"]
    [build] = [step["run"] for step in steps if "buildx build" in step.get("run", "")]
    for option in ("linux/amd64,linux/arm64", "--sbom=true", "--provenance=mode=max", "--push"):
        assert option in build


def test_a_release_pins_images_before_it_builds():
    jobs = read(".github/workflows/release.yml")["jobs"]
    runs = [step.get("run", "") for step in jobs["image"]["steps"]]
    [pins] = [n for n, run in enumerate(runs) if "tools/pin_images.py" in run]
    [builds] = [n for n, run in enumerate(runs) if "buildx build" in run]
    [charts] = [n for n, run in enumerate(runs) if "helm package" in run]
    assert pins < builds < charts
    assert "images.txt" in jobs["packages"]["steps"][-1]["run"]


def test_dependabot_watches_every_kind_of_dependency():
    watched = {update["package-ecosystem"] for update in read(".github/dependabot.yml")["updates"]}
    images = {"docker", "docker-compose", "devcontainers"}
    assert watched == {"pip", "npm", "github-actions", *images}


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
        command = (sys.executable, "tools/pin_images.py", *arguments)
        finished = run_program(*command, cwd=tmp_path, env={"PATH": path, **variables})
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


def test_every_foreign_image_is_pinned_by_digest(pin):
    names = {name for name, _at, _digest in images_of(pin("--check")[2])}
    assert len(names) > 10
    code, told, texts = pin()
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in sorted(names)}
    assert told == [f"{name}@sha256:{digest}" for name, digest in digests.items()]
    assert code == 0
    assert {"".join(use) for use in images_of(texts)} == set(told)
    assert pin("--check")[:2] == (0, [])
    # Pinned again, the files stay as they are.
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


@pytest.mark.parametrize("version", ["0.0.1", "main", ""])
def test_release_notes_refuse_another_version(version):
    finished = run_python("tools/release_notes.py", version)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert f"which is {PROJECT['version']}" in finished.stderr
