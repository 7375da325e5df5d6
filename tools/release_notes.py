"""python tools/release_notes.py 1.0.0: print the section of CHANGELOG.md about a version. It must be the project's."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes_of(version, changelog):
    """Return the section about this version, or an empty string if there is none."""
    found = re.search(
        rf"^## {re.escape(version)} - [\d-]+\n(.*?)(?=^## |\Z)", changelog, re.M | re.S
    )
    return found[1].strip() if found else ""


def main(version):
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    if version != own:
        return f"{version} is not the version of pyproject.toml, which is {own}."
    notes = notes_of(version, (ROOT / "CHANGELOG.md").read_text())
    if not notes:
        return f'CHANGELOG.md has no section "## {version} - YEAR-MONTH-DAY".'
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
