import json
import re
import unicodedata
from importlib import resources

import pytest
from django.core.exceptions import ValidationError
from django.utils.html import conditional_escape
from django.utils.translation import override

from accounts.models import User
from accounts.names import (
    PlayerNameValidator,
    compute_skeleton,
    refuse_reserved_name,
    show_name,
    tidy_player_name,
)
from accounts.people.bots import get_practice_bots
from tests.given import reload


@pytest.mark.parametrize(
    "name",
    [
        *("Asha", "R2D2", "Jean-Luc P.", "आशा राव", "O'Neil", "Łukasz 9", "Asha राव", "ஆஷா 7"),
        *("Иван", "Νίκος", "田中ひろ", "ക്ഷേമ", "Nguyễn"),
        *("दुसर\u094d\u200dया", "ರಾಜ್\u200cಕುಮಾರ್", "র\u200d্যাফেল", "کبیر 7", "کبیر ۷", "राज ७"),  # noqa: RUF001
        "علی\u200cرضا",  # noqa: RUF001
    ],
)
def test_names_of_every_script_are_welcome(name):
    PlayerNameValidator()(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Al", "player_name_length"),
        ("a" * 21, "player_name_length"),
        ("Asha\u202eRao", "player_name_characters"),
        ("Asha\u200bRao", "player_name_characters"),
        ("Asha\u034fRao", "player_name_characters"),
        ("Asha\u3164Rao", "player_name_characters"),
        ("Asha\ufe0fRao", "player_name_characters"),
        ("Asha" + "\u0316" * 4, "player_name_characters"),
        ("Asha\u200dRao", "player_name_characters"),
        ("Asha\u200cRao", "player_name_characters"),
        ("आशा\u200dराव", "player_name_characters"),
        ("र\u094d\u200d\u200dया", "player_name_characters"),
        ("र\u200d\u094dया", "player_name_characters"),  # the joiner must follow the virama
        ("ر\u200cضا", "player_name_characters"),  # noqa: RUF001 - after a letter that does not join
        ("\u200dAsha", "player_name_characters"),
        ("आशां\u0902", "player_name_characters"),  # a doubled mark looks like a single one
        ("Asha \u2776", "player_name_characters"),
        ("Suni\u0661", "player_name_alphabets"),  # an Arabic digit
        ("Asha\u0967", "player_name_alphabets"),  # a Devanagari digit
        ("Ash\u094d", "player_name_alphabets"),  # a Devanagari mark
        ("Asha کبیر", "player_name_direction"),  # displayed like "کبیر Asha"
        ("کبیر Asha", "player_name_direction"),
        ("7 کبیر", "player_name_direction"),
        ("کبیر ٧ 7", "player_name_direction"),  # noqa: RUF001
        ("Asha \u0667", "player_name_direction"),
        ("\u0410sha", "player_name_alphabets"),  # a Cyrillic letter
        ("Ash\u03b1", "player_name_alphabets"),  # a Greek letter
        ("Asha \u0420\u0430\u043e", "player_name_alphabets"),
        ("Ashaराव", "player_name_alphabets"),
        ("<b>Asha", "player_name_characters"),
        ("-Asha", "player_name_ends"),
        ("Asha-", "player_name_ends"),
        ("\u093fराव", "player_name_ends"),
    ],
)
def test_names_that_could_deceive_are_refused(name, code):
    with pytest.raises(ValidationError) as refusal:
        PlayerNameValidator()(name)
    assert refusal.value.code == code


def test_names_that_look_alike_become_one():
    assert tidy_player_name("  Asha\u00a0  Rao ") == "Asha Rao"
    assert tidy_player_name("\uff21sha") == "Asha"


RESERVED = [
    *("admin", "Admin", "ADMIN 1", "The Admin", "Ad min", "a.d.m.i.n", "Adm1n", "Ádmin", "4dmin"),
    *("Support", "Staff-2", "OpenRummy", "OpenRummy Help", "myopenrummy", "0penRummy"),
    *("adrnin", "S\u1d1cpport", "OpenRurnmy", "myOpenRurnmy", "vvebmaster", "TheAdmin", "AshaBot"),
    *("Asha bot", "Asha Bot 2", "B0T", "एडमिन", "Moderator", "closed 12", "\u0455\u0443\u0455tem"),
]


@pytest.mark.parametrize("name", RESERVED)
def test_names_of_the_site_its_staff_and_its_bots_are_reserved(name):
    with pytest.raises(ValidationError) as refusal:
        refuse_reserved_name(tidy_player_name(name))
    assert refusal.value.code == "player_name_reserved"


@pytest.mark.parametrize(
    "name", ["Badminton Fan", "Abbott", "Supporter", "Modi", "Rummy King", "Asha", "Dev", "Kobot"]
)
def test_names_that_only_contain_a_reserved_word_are_free(name):
    refuse_reserved_name(name)


ALIKE = [
    ("Ravi", "Ravi\u0307"),
    ("Ravi", "Rav\u0131"),
    ("Meera", "Meerạ"),
    ("Asha", "\u0410\u0455\u04bb\u0430"),  # in Cyrillic
    ("Cop", "\u0421\u043e\u0440"),  # in Cyrillic
    ("Evil0", "EviIO"),
    ("Amit", "Arnit"),
    ("Wanda", "Vvanda"),
    ("کبیر", "كبير"),
    ("मुन्ना", "मुन\u094d\u200dना"),
    ("ರಾಜ್ಕುಮಾರ್", "ರಾಜ್\u200cಕುಮಾರ್"),
]


@pytest.mark.parametrize(("taken", "wanted"), ALIKE)
def test_a_name_that_looks_like_a_player_s_is_taken(client, db, taken, wanted):
    User.objects.create_user("first@example.com", player_name=taken)
    assert compute_skeleton(taken) == compute_skeleton(wanted) == User.objects.get().name_skeleton
    form = {"email": "b@example.com", "player_name": wanted, "adult": "on", "password1": "x"}
    page = client.post("/accounts/signup/", form).text
    assert "This player name is taken." in page
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("आशा राव", "आशा रवि"),
        ("Ravi", "Rani"),
        ("Ravi", "Ravi 2"),
        ("Иван", "Ivan"),
        ("田中", "田口"),
    ],
)
def test_names_that_look_different_are_two(one, other):
    assert compute_skeleton(one) != compute_skeleton(other)


@pytest.mark.django_db
def test_another_name_has_another_skeleton(asha):
    asha.player_name = "Nila"
    asha.save(update_fields=["player_name"])
    assert User.objects.get().name_skeleton == compute_skeleton("Nila")


@pytest.mark.django_db
def test_names_of_practice_bots_are_reserved():
    for bot in get_practice_bots():
        with pytest.raises(ValidationError):
            PlayerNameValidator()(bot.player_name)
        with pytest.raises(ValidationError):
            refuse_reserved_name(bot.player_name.replace("(", "").replace(")", ""))


@pytest.mark.django_db
def test_only_staff_can_have_a_reserved_name(asha):
    asha.player_name = "Support"
    with pytest.raises(ValidationError) as refusal:
        asha.full_clean(exclude=["password", "adult_confirmed_at"])
    assert refusal.value.error_dict["player_name"][0].code == "player_name_reserved"
    asha.is_staff = True
    asha.full_clean(exclude=["password", "adult_confirmed_at"])
    # A user who already has such a name can still be changed otherwise.
    User.objects.filter(pk=asha.pk).update(player_name="Support")
    asha = User.objects.get()
    asha.full_clean(exclude=["password", "adult_confirmed_at"])


def test_every_pair_of_look_alikes_has_one_skeleton():
    path = resources.files("confusable_homoglyphs").joinpath("confusables.json")
    direction = re.compile("[\u200e\u200f]")
    accent = re.compile("[\u0300-\u036f]")  # skeletons ignore accents in any case
    pairs = 0
    for character, partners in json.loads(path.read_text()).items():
        for partner in partners:
            one, other = (direction.sub("", text) for text in (character, partner["c"]))
            # Only characters that NFKD leaves unchanged are compared.
            is_stored = all(unicodedata.normalize("NFKD", text) == text for text in (one, other))
            if is_stored and not accent.search(one + other):
                assert compute_skeleton(one) == compute_skeleton(other), (one, other)
                pairs += 1
    assert pairs > 4_000


@pytest.mark.django_db
def test_a_name_is_judged_as_it_is_stored(asha):
    asha.player_name = "ﷺ"  # 18 characters in its stored form
    asha.full_clean(exclude=["password", "adult_confirmed_at"])
    asha.player_name = "ﷺ abc"
    with pytest.raises(ValidationError) as refusal:
        asha.full_clean(exclude=["password", "adult_confirmed_at"])
    assert refusal.value.error_dict["player_name"][0].code == "player_name_length"


@pytest.mark.django_db
def test_names_that_the_site_gives_are_shown_in_the_readers_language():
    bot = get_practice_bots()[0]
    guest = User.objects.create_user("g@guests.invalid", player_name="Guest 558436", is_guest=True)
    names = [bot.player_name, reload(guest).player_name, show_name("Asha"), show_name("Guest A")]
    for language, shown in (
        ("en", ["Asha (bot)", "Guest 558436", "Asha", "Guest A"]),
        ("hi", ["Asha (बॉट)", "अतिथि 558436", "Asha", "Guest A"]),
    ):
        with override(language):
            assert [f"{name}" for name in names] == shown
            assert [conditional_escape(name) for name in names] == shown
    # The stored and sent name stays the same.
    assert json.loads(json.dumps(names)) == ["Asha (bot)", "Guest 558436", "Asha", "Guest A"]
