"""docs/tasks: what a page tells staff to press is a text of the site."""

import re
from pathlib import Path

import pytest

from tests.programs import ROOT
from tests.test_translations import collect_texts

TASKS = sorted((ROOT / "docs/tasks").glob("*.md"))
# Of Django and allauth.
OTHERS = {"add", "authenticators", "groups", "save", "save and continue editing"}


@pytest.fixture(scope="module")
def texts() -> set[str]:
    return {text.singular.casefold() for text in collect_texts(of_staff=True)} | OTHERS


@pytest.mark.parametrize("path", TASKS, ids=lambda path: path.stem)
def test_every_label_in_a_task_is_a_text_of_the_site(path: Path, texts: set[str]) -> None:
    labels = re.findall(r"(?<![*\w])\*([^*\s][^*]*[^*\s])\*(?![*\w])", path.read_text())
    said = {" ".join(label.split()).casefold() for label in labels}
    assert len(said) >= 3
    assert said - texts == set()


def test_the_index_links_every_task() -> None:
    linked = re.findall(r"\]\(tasks/(\w+)\.md\)", (ROOT / "docs/operators.md").read_text())
    assert sorted(linked) == [path.stem for path in TASKS]
