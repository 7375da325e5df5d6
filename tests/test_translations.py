"""Every word that people read is there in Hindi, and its compiled catalogue is up to date."""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[1]
APPS = ("config", "accounts", "wallet", "games", "tables", "tournaments")
CATALOGUE = ROOT / "locale/hi/LC_MESSAGES/django.po"
# Where the text stands among the arguments, and the plural and the context if there is one.
PLACES = {
    "_": (0, None, None),
    "gettext": (0, None, None),
    "gettext_lazy": (0, None, None),
    "gettext_noop": (0, None, None),
    "ngettext": (0, 1, None),
    "ngettext_lazy": (0, 1, None),
    "pgettext": (1, None, 0),
    "pgettext_lazy": (1, None, 0),
    "npgettext": (1, 2, 0),
    "npgettext_lazy": (1, 2, 0),
}
CALL_IN_TEMPLATE = re.compile(r"\b(_|n?p?gettext(?:_lazy)?)\(")
KEYWORD = re.compile(r'(?:(msg\w+(?:\[\d\])?) )?(".*")')
FIELD = re.compile(r"\{\w+\}|%\(\w+\)\w")


class Text(NamedTuple):
    context: str | None
    singular: str
    plural: str | None = None


class Entry(NamedTuple):
    text: Text
    words: tuple[str, ...]
    is_fuzzy: bool


def entries(path: Path) -> Iterator[Entry]:
    """Read a catalogue as msgfmt would."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            keyword, quoted = KEYWORD.fullmatch(line).groups()  # type: ignore[union-attr]
            name = keyword or name
            fields[name] = fields.get(name, "") + ast.literal_eval(quoted)
        if fields.get("msgid"):
            words = tuple(value for key, value in fields.items() if key.startswith("msgstr"))
            text = Text(fields.get("msgctxt"), fields["msgid"], fields.get("msgid_plural"))
            yield Entry(text, words, is_fuzzy="#, fuzzy" in block)


def called(call: ast.Call) -> Iterator[Text]:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    if name not in PLACES:
        return
    literals = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
    singular, plural, context = (
        literals[place] if place is not None and place < len(literals) else None
        for place in PLACES[name]
    )
    if isinstance(singular, str):
        yield Text(
            context if isinstance(context, str) else None,
            singular,
            plural if isinstance(plural, str) else None,
        )


def texts_of_code(code: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            yield from called(node)


def texts_of_template(source: str) -> Iterator[Text]:
    """Django turns templates into lines of calls for xgettext; the calls are Python too."""
    calls = templatize(source)
    for match in CALL_IN_TEMPLATE.finditer(calls):
        end = match.end()
        while (end := calls.find(")", end) + 1) > 0:
            try:
                yield from texts_of_code(calls[match.start() : end])
            except SyntaxError:
                continue
            break


def all_texts() -> dict[Text, str]:
    """Every text with the file that it is in."""
    texts: dict[Text, str] = {}
    for path in sorted((ROOT / "templates").rglob("*.*")):
        texts |= dict.fromkeys(texts_of_template(path.read_text("utf-8")), str(path))
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                texts |= dict.fromkeys(texts_of_code(path.read_text("utf-8")), str(path))
    return texts


@pytest.fixture(scope="module")
def catalogue() -> dict[tuple[str | None, str], Entry]:
    return {(entry.text.context, entry.text.singular): entry for entry in entries(CATALOGUE)}


def test_every_text_is_there_in_hindi(catalogue: dict[tuple[str | None, str], Entry]) -> None:
    texts = all_texts()
    assert len(texts) > 400
    missing = [
        f"{path}: {text.singular}"
        for text, path in texts.items()
        if (entry := catalogue.get((text.context, text.singular))) is None
        or entry.is_fuzzy
        or not all(entry.words)
        or len(entry.words) != (2 if entry.text.plural else 1)
    ]
    assert missing == [], "run manage.py makemessages -l hi, translate, then compilemessages"


def test_no_translation_loses_what_is_filled_in(
    catalogue: dict[tuple[str | None, str], Entry],
) -> None:
    for entry in catalogue.values():
        wanted = set(FIELD.findall(entry.text.plural or entry.text.singular))
        for words in entry.words:
            assert set(FIELD.findall(words)) == wanted, entry.text.singular


def test_the_compiled_catalogue_says_the_same(
    catalogue: dict[tuple[str | None, str], Entry],
) -> None:
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for entry in catalogue.values():
        context, singular, plural = entry.text
        said = [
            compiled.npgettext(context, singular, plural, number)
            if context and plural
            else compiled.ngettext(singular, plural, number)
            if plural
            else compiled.pgettext(context, singular)
            if context
            else compiled.gettext(singular)
            for number in ((1, 2) if plural else (1,))
        ]
        assert tuple(said) == entry.words


def test_a_text_without_translation_would_be_noticed() -> None:
    template = '{% translate "Hello" %}{% blocktranslate %}You {{ x }}{% endblocktranslate %}'
    assert list(texts_of_template(template)) == [Text(None, "Hello"), Text(None, "You %(x)s")]
    code = 'pgettext("button", "Go"); _(name); ngettext("a", "b", 2)'
    assert list(texts_of_code(code)) == [Text("button", "Go"), Text(None, "a", "b")]
