"""Every message has a Hindi translation, players' messages have all languages, and the catalogues are compiled."""

import ast
import gettext
import re
from collections.abc import Container, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import allauth
import pytest
from django.utils.translation.template import templatize

from tests.programs import ROOT

APPS = (
    "config",
    "accounts",
    "wallet",
    "games",
    "tables",
    "players",
    "history",
    "lobby",
    "tournaments",
    "core",
)
ALLAUTH = Path(allauth.__file__).parent
HINDI = ROOT / "locale/hi/LC_MESSAGES/django.po"
ENGLISH = ROOT / "locale/en/LC_MESSAGES/django.po"
CATALOGUES = sorted(set(ROOT.glob("locale/*/LC_MESSAGES/django.po")) - {ENGLISH})
# Title case, as allauth writes it: "Change Password", "Sign Up".
TITLE_CASE = re.compile(r"[A-Z][\w-]*( [^ .]+)*? [A-Z][a-z]+( [^ .]+)*")
# Files whose messages only staff read. Languages other than Hindi need not translate them.
STAFF = re.compile(
    r"(^|/)(desk|administration|management|alerts|\w*admin)(/|\.py$)"
    r"|^config/reports/|^core/site/(numbers|features)|^wallet/fees/forms|^(core/models/running|tables/models/faults|wallet/models/cases)"
)
# In a model, the names of its fields and rows are also for staff only.
STAFF_CALL = re.compile(r"(Field|Key|Constraint)$")
# `n`: a plural follows the message. `p`: a context precedes it.
GETTEXT = re.compile(r"(n?)(p?)(?:_|gettext(?:_lazy|_noop)?)")
CALL_IN_TEMPLATE = re.compile(r"\b(_|n?p?gettext(?:_lazy)?)\(")
KEYWORD = re.compile(r'(?:(msg\w+(?:\[\d\])?) )?(".*")')
FIELD = re.compile(r"\{\w+\}|%\(\w+\)\w")
QUOTED = re.compile("“([^”]+)”")
PARAMETER_OR_TAG = re.compile(r"%\(\w+\)s|<[^>]*>")
OTHER_WORDS = re.compile(r"\b(emails?|log ?in|logging in|log ?out|sign ?up)\b", re.IGNORECASE)
# Where a sentence names a button or a page without quotation marks. The name is the longest message found there.
AFTER_VERB = re.compile(r"[Pp]ress(?:es|ed)? ([A-Z][\w' ]*)|on the page ([A-Z][\w' ]*)")
BEFORE_NOUN = re.compile(r"\bthe ([A-Z][\w ]*?) (?:page|button)\b")
# Names in the reader's browser and in a document, which have no message here.
NOT_OURS = {"Add to Home Screen", "Print", "Share", "Webhooks"}


class Text(NamedTuple):
    context: str | None
    singular: str
    plural: str | None = None


class Entry(NamedTuple):
    text: Text
    words: tuple[str, ...]
    is_fuzzy: bool


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a catalogue, parsed as msgfmt parses it."""
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


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def find_texts_of_call(call: ast.Call) -> Iterator[Text]:
    called = GETTEXT.fullmatch(name_of(call))
    if called is None:
        return
    literals = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
    context = literals.pop(0) if called[2] else None
    plural = literals[1] if called[1] else None
    if isinstance(literals[0], str):
        yield Text(
            context if isinstance(context, str) else None,
            literals[0],
            plural if isinstance(plural, str) else None,
        )


def texts_of_code(code: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            yield from find_texts_of_call(node)


def texts_of_model(node: ast.AST) -> Iterator[Text]:
    """Yield the messages of a models module that players may read: choices, not names of fields and rows."""
    if isinstance(node, ast.ClassDef) and node.name == "Meta":
        return
    if isinstance(node, ast.Call):
        if STAFF_CALL.search(name_of(node)):
            return
        yield from find_texts_of_call(node)
    for child in ast.iter_child_nodes(node):
        yield from texts_of_model(child)


def texts_of_template(source: str) -> Iterator[Text]:
    """Yield a template's messages. Django turns it into gettext calls for xgettext, which parse as Python."""
    calls = templatize(source)
    for match in CALL_IN_TEMPLATE.finditer(calls):
        end = match.end()
        while (end := calls.find(")", end) + 1) > 0:
            try:
                yield from texts_of_code(calls[match.start() : end])
            except SyntaxError:
                continue
            break


@cache
def collect_texts(*, of_staff: bool) -> dict[Text, str]:
    """Return the messages, each with one file that has it. Without `of_staff`, only those for players."""
    texts: dict[Text, str] = {}
    for folder in ("templates", *APPS):
        for path in sorted((ROOT / folder).rglob("*.*")):
            place = str(path.relative_to(ROOT))
            if "migrations" in path.parts or (STAFF.search(place) and not of_staff):
                continue
            if folder == "templates":
                found = texts_of_template(path.read_text("utf-8"))
            elif path.suffix != ".py":
                continue
            elif "models" in path.parts and not of_staff:
                found = texts_of_model(ast.parse(path.read_text("utf-8")))
            else:
                found = texts_of_code(path.read_text("utf-8"))
            for text in found:
                texts.setdefault(text, place)
    return texts


@cache
def texts_of_allauth() -> set[Text]:
    """Return the messages of allauth's pages, forms and mails, including those that this site does not use."""
    found: set[Text] = set()
    for part in ("account", "mfa", "socialaccount", "usersessions"):
        for path in (ALLAUTH / "templates" / part).rglob("*.*"):
            found.update(texts_of_template(path.read_text("utf-8")))
        for path in (ALLAUTH / part).rglob("*.py"):
            if path.name not in {"admin.py", "apps.py", "models.py"}:
                found.update(texts_of_code(path.read_text("utf-8")))
    return found


@cache
def load_english() -> gettext.GNUTranslations:
    """Return the site's own English. It replaces texts of the library of signing in."""
    with ENGLISH.with_suffix(".mo").open("rb") as file:
        return gettext.GNUTranslations(file)


@pytest.fixture(scope="module", params=CATALOGUES, ids=lambda path: path.parts[-3])
def catalogue(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture(scope="module")
def translated(catalogue: Path) -> dict[tuple[str | None, str], Entry]:
    return {
        (entry.text.context, entry.text.singular): entry
        for entry in read_entries(catalogue)
        if any(entry.words)
    }


def test_every_text_is_translated(
    catalogue: Path, translated: dict[tuple[str | None, str], Entry]
) -> None:
    texts = collect_texts(of_staff=catalogue == HINDI)
    assert len(texts) > 2_000
    missing = [
        f"{path}: {text.singular}"
        for text, path in texts.items()
        if (entry := translated.get((text.context, text.singular))) is None
        or entry.is_fuzzy
        or not all(entry.words)
        or len(entry.words) != (2 if entry.text.plural else 1)
    ]
    assert missing == [], "docs/translating.md says how to add them"


def test_sign_in_texts_are_translated_as_in_hindi(
    translated: dict[tuple[str | None, str], Entry],
) -> None:
    hindi = {entry.text for entry in read_entries(HINDI)}
    texts = texts_of_allauth() & hindi
    assert len(texts) > 200
    missing = [text for text in texts if (text.context, text.singular) not in translated]
    assert missing == []


def test_english_titles_of_signing_in_are_in_sentence_case_as_all_others() -> None:
    hindi = {entry.text for entry in read_entries(HINDI)}
    titles = {
        text.singular for text in texts_of_allauth() & hindi if TITLE_CASE.fullmatch(text.singular)
    }
    assert len(titles) > 40
    compiled = load_english()
    assert [title for title in titles if TITLE_CASE.fullmatch(compiled.gettext(title))] == []
    for entry in read_entries(ENGLISH):
        assert entry.words == (compiled.gettext(entry.text.singular),), "compile the catalogue"
        fields = [set(FIELD.findall(text)) for text in (entry.text.singular, *entry.words)]
        assert fields[0] == fields[1]


def test_english_of_signing_in_uses_the_words_of_the_other_pages() -> None:
    """The site says e-mail, sign in and register. The library says email, login and sign up."""
    compiled = load_english()
    hindi = {entry.text.singular for entry in read_entries(HINDI)}
    shown = [
        PARAMETER_OR_TAG.sub("", compiled.gettext(text.singular))
        for text in texts_of_allauth()
        if text.singular in hindi
    ]
    assert len(shown) > 200
    assert [text for text in shown if OTHER_WORDS.search(text)] == []


def test_translations_keep_their_placeholders(
    translated: dict[tuple[str | None, str], Entry],
) -> None:
    for entry in translated.values():
        wanted = set(FIELD.findall(entry.text.plural or entry.text.singular))
        for words in entry.words:
            assert set(FIELD.findall(words)) == wanted, entry.text.singular


def collect_names(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """Return the translations of each message that can be the name of a button or a page.

    If some of them are buttons' by their context, only these.
    """
    names: dict[str, set[str]] = {}
    buttons: dict[str, set[str]] = {}
    for (context, singular, _plural), words, _is_fuzzy in entries:
        if singular not in NOT_OURS:
            names.setdefault(singular, set()).update(words)
            if context and context.startswith("button"):
                buttons.setdefault(singular, set()).update(words)
    return names | buttons


def find_names(sentence: str, names: Container[str]) -> Iterator[str]:
    """Yield the buttons and pages that an English sentence names."""
    yield from (name for name in QUOTED.findall(sentence) if name in names)
    for match in AFTER_VERB.finditer(sentence):
        words = (match[1] or match[2]).split()
        longest_first = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        yield from islice(filter(names.__contains__, longest_first), 1)
    for match in BEFORE_NOUN.finditer(sentence):
        words = match[1].split()
        longest_first = (" ".join(words[start:]) for start in range(len(words)))
        yield from islice(filter(names.__contains__, longest_first), 1)


def test_translations_name_buttons_and_pages_as_these_are_labelled(
    translated: dict[tuple[str | None, str], Entry],
) -> None:
    names = collect_names(translated.values())
    named = [
        (name, words)
        for entry in translated.values()
        for name in find_names(load_english().gettext(entry.text.singular), names)
        for words in entry.words
    ]
    assert len(named) > 40
    assert [
        (name, words)
        for name, words in named
        if not any(f"“{label}”" in words for label in names[name])
    ] == []


def test_translations_quote_only_labels_of_this_site(
    translated: dict[tuple[str | None, str], Entry],
) -> None:
    """What a translation quotes is the label of something that the English sentence mentions, too."""
    labelled: dict[str, set[str]] = {}
    for name, labels in collect_names(translated.values()).items():
        for label in labels:
            labelled.setdefault(label, set()).add(name)
    faults = []
    for entry in translated.values():
        sentence = load_english().gettext(entry.text.singular)
        if any(name in sentence for name in NOT_OURS):
            continue
        faults += [
            (quoted, sentence)
            for words in entry.words
            for quoted in QUOTED.findall(words)
            if not FIELD.search(quoted)
            and f"“{quoted}”" not in sentence
            and not any(name.lower() in sentence.lower() for name in labelled.get(quoted, ()))
        ]
    assert faults == []


def test_names_are_found_with_and_without_quotation_marks() -> None:
    names = {"Undo", "Play again", "Play", "Friends", "Help and contact"}
    sentence = (
        "Press Play again once, or “Undo”, as the Friends page and the page Help and contact say."
    )
    assert list(find_names(sentence, names)) == ["Undo", "Play again", "Friends"]
    assert list(find_names("Write to us on the page Help and contact.", names)) == [
        "Help and contact"
    ]


def test_hindi_writes_a_word_with_a_dot_below_or_without() -> None:
    words = {
        word
        for entry in read_entries(HINDI)
        for text in entry.words
        for word in re.findall("[\u0900-\u097f]+", text)
    }
    # Letters with a nukta for borrowed sounds. The two for r are letters of their own.
    assert {
        word for word in words if re.sub("([कखगजफ])\u093c", r"\1", word) in words - {word}
    } == set()


def test_the_compiled_catalogue_is_up_to_date(
    catalogue: Path, translated: dict[tuple[str | None, str], Entry]
) -> None:
    with catalogue.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for entry in translated.values():
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
        assert tuple(said) == entry.words, "docs/translating.md says how to compile it"


def test_texts_are_found_in_templates_code_and_models() -> None:
    template = '{% translate "Hello" %}{% blocktranslate %}You {{ x }}{% endblocktranslate %}'
    assert list(texts_of_template(template)) == [Text(None, "Hello"), Text(None, "You %(x)s")]
    code = 'pgettext("button", "Go"); _(name); ngettext("a", "b", 2)'
    assert list(texts_of_code(code)) == [Text("button", "Go"), Text(None, "a", "b")]
    model = 'x = CharField(_("name")); y = [("a", _("Choice"))]'
    assert list(texts_of_model(ast.parse(model))) == [Text(None, "Choice")]
