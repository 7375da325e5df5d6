import pytest
from django.core.exceptions import ValidationError

from accounts.names import PlayerNameValidator, tidy_player_name


@pytest.mark.parametrize("name", ["Asha", "R2D2", "Jean-Luc P.", "आशा राव", "O'Neil", "Łukasz 9"])
def test_names_of_every_script_are_welcome(name):
    PlayerNameValidator()(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Al", "player_name_length"),
        ("a" * 21, "player_name_length"),
        ("Asha\u202eRao", "player_name_characters"),
        ("Asha\u200bRao", "player_name_characters"),
        ("<b>Asha", "player_name_characters"),
        ("-Asha", "player_name_ends"),
        ("Asha-", "player_name_ends"),
        ("\u093fAsha", "player_name_ends"),
    ],
)
def test_names_that_could_deceive_are_refused(name, code):
    with pytest.raises(ValidationError) as refusal:
        PlayerNameValidator()(name)
    assert refusal.value.code == code


def test_names_that_look_alike_become_one():
    assert tidy_player_name("  Asha\u00a0  Rao ") == "Asha Rao"
    assert tidy_player_name("\uff21sha") == "Asha"
