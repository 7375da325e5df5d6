"""docs/adding.md names files that exist, and few of them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_FILES = {
    "A payment provider": 3,
    "A column in the statement": 6,
    "A rule of chat moderation": 6,
    "A kind of tournament": 6,
    "A preset of the rules": 6,
    "A game": 7,
}


def lists() -> dict[str, list[str]]:
    """The files to open, by what is added."""
    text = (ROOT / "docs/adding.md").read_text()
    return {
        section.partition("\n")[0]: re.findall(r"^- `([^`]+)`: .+[.]$", section, re.MULTILINE)
        for section in text.split("\n## ")[1:]
    }


def test_each_list_is_short() -> None:
    assert lists().keys() == MOST_FILES.keys()
    long = {added: files for added, files in lists().items() if len(files) > MOST_FILES[added]}
    assert long == {}


def test_each_named_file_exists_and_the_last_one_is_a_test() -> None:
    for added, files in lists().items():
        assert len(files) >= 3, added
        assert [file for file in files if not (ROOT / file).is_file()] == []
        assert files[-1].startswith("tests/"), added


def test_every_point_of_a_list_is_read() -> None:
    points = (ROOT / "docs/adding.md").read_text().count("\n- ")
    assert sum(map(len, lists().values())) == points


def test_it_is_found_from_where_newcomers_begin() -> None:
    for name in ("ARCHITECTURE.md", "CONTRIBUTING.md"):
        assert "(docs/adding.md)" in (ROOT / name).read_text()
