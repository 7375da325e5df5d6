"""The diffs in docs/adding.md apply to the current files, and name tests that exist."""

import re
from dataclasses import dataclass

import pytest

from tests.programs import ROOT
from tests.test_documents import is_there

TEXT = (ROOT / "docs/adding.md").read_text()
ADDED = (
    "A game",
    "An option of a table",
    "A page",
    "A setting",
    "A job",
    "A payment provider",
    "A tournament format",
)
SHORTEST, LONGEST = 5, 24  # changed lines of a diff
LONGEST_DOCUMENT = 280
PRIVATE = re.compile(r"(?<![\w.])_[a-z]\w+")
TEST = re.compile(r"^Test: `([^`]+)`", re.MULTILINE)


@dataclass(frozen=True)
class Hunk:
    """Lines of one file, before and after the change. `before` is empty for a new file."""

    path: str
    before: str
    after: str


def list_sections() -> dict[str, str]:
    parts = dict(part.split("\n", 1) for part in TEXT.split("\n## ")[1:])
    return {title: text for title, text in parts.items() if "```diff" in text}


def diff_of(section: str) -> str:
    return section.split("```diff\n")[1].split("```", maxsplit=1)[0]


def hunks_of(diff: str) -> list[Hunk]:
    """Return the hunks of a diff. A line with only `@@` begins the next hunk of the same file."""
    hunks = []
    for of_file in re.split(r"^\+\+\+ b/", diff, flags=re.MULTILINE)[1:]:
        path, lines = of_file.split("\n", 1)
        for hunk in lines.split("@@\n"):
            kept = {sign: _side(hunk, sign) for sign in "-+"}
            if hunk:
                hunks.append(Hunk(path, kept["-"], kept["+"]))
    return hunks


def _side(hunk: str, sign: str) -> str:
    """Return the hunk's lines with this sign, together with its context lines."""
    lines = hunk.splitlines(keepends=True)
    return "".join(line[1:] or "\n" for line in lines if line[0] in {sign, " ", "\n"})


def list_misfits(hunk: Hunk) -> bool:
    path = ROOT / hunk.path
    if not hunk.before:
        return path.exists()
    return not path.is_file() or path.read_text().count(hunk.before) != 1


def test_the_document_is_short_and_has_a_diff_for_each_addition() -> None:
    assert tuple(list_sections()) == ADDED
    assert TEXT.count("\n") <= LONGEST_DOCUMENT


def list_unknown_names(hunk: Hunk) -> set[str]:
    """Return the private names in a hunk's new lines that neither the hunk nor its file defines."""
    path = ROOT / hunk.path
    known = path.read_text() if path.is_file() else ""
    defined = re.findall(r"(?:def |class |^)(_[a-z]\w+)", hunk.after, re.MULTILINE)
    return set(PRIVATE.findall(hunk.after)) - set(PRIVATE.findall(known)) - set(defined)


@pytest.mark.parametrize("added", ADDED)
def test_a_walkthrough_names_its_test_and_its_short_diff_applies_to_the_current_files(
    added: str,
) -> None:
    section = list_sections()[added]
    (named,) = TEST.findall(section)
    assert is_there(named)
    diff = diff_of(section)
    changed = re.findall(r"^[+-](?!\+\+ ).*$", diff, re.MULTILINE)
    assert SHORTEST <= len(changed) <= LONGEST
    hunks = hunks_of(diff)
    assert hunks
    changed_since = sorted({hunk.path for hunk in hunks if list_misfits(hunk)})
    assert not changed_since, f"Fit the diff of “{added}” in docs/adding.md to the files of today."
    for hunk in hunks:
        if hunk.path.endswith(".py"):
            assert list_unknown_names(hunk) == set(), hunk.path


def test_a_planted_unknown_name_is_found() -> None:
    (planted,) = hunks_of("+++ b/games/registry.py\n+x = _nothing_of_this_name(y)\n")
    assert list_unknown_names(planted) == {"_nothing_of_this_name"}


@pytest.mark.parametrize(
    "planted",
    [
        "+++ b/games/registry.py\n def nothing():\n+    pass\n",
        "+++ b/games/nothing.py\n def nothing():\n+    pass\n",
        "+++ b/games/registry.py\n+pass\n",
    ],
)
def test_a_planted_diff_that_does_not_fit_is_found(planted: str) -> None:
    (hunk,) = hunks_of(planted)
    assert list_misfits(hunk)


def test_the_document_is_linked_for_newcomers() -> None:
    for name in ("ARCHITECTURE.md", "CONTRIBUTING.md"):
        assert "(docs/adding.md)" in (ROOT / name).read_text()
