"""docs/tasks: every label that a page tells staff to press exists on the site."""

import re
from pathlib import Path

from tests.programs import ROOT
from tests.test_translations import collect_texts

TASKS = sorted((ROOT / "docs/tasks").glob("*.md"))
# Labels from Django and allauth.
OTHERS = {"add", "authenticators", "groups", "save", "save and continue editing"}


def read_labels(path: Path) -> set[str]:
    labels = re.findall(r"(?<![*\w])\*([^*\s][^*]*[^*\s])\*(?![*\w])", path.read_text())
    return {" ".join(label.split()).casefold() for label in labels}


def test_every_label_in_a_task_is_a_text_of_the_site() -> None:
    texts = {text.singular.casefold() for text in collect_texts(of_staff=True)} | OTHERS
    labels = {path.stem: read_labels(path) for path in TASKS}
    assert [task for task, said in labels.items() if len(said) < 3] == []
    assert {task: said - texts for task, said in labels.items() if said - texts} == {}


def test_the_index_links_every_task() -> None:
    linked = re.findall(r"\]\(tasks/(\w+)\.md\)", (ROOT / "docs/operators.md").read_text())
    assert sorted(linked) == [path.stem for path in TASKS]
