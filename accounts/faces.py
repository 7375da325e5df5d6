"""The faces that players choose from: the symbols of static/img/faces.svg, by code, with their names."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FACES: Final[Mapping[str, str | Promise]] = {
    "cat": _("Cat"),
    "dog": _("Dog"),
    "fox": _("Fox"),
    "owl": _("Owl"),
    "panda": _("Panda"),
    "tiger": _("Tiger"),
    "lion": _("Lion"),
    "elephant": _("Elephant"),
    "frog": _("Frog"),
    "penguin": _("Penguin"),
    "rabbit": _("Rabbit"),
    "bear": _("Bear"),
    "monkey": _("Monkey"),
    "koala": _("Koala"),
    "peacock": _("Peacock"),
    "turtle": _("Turtle"),
    "fish": _("Fish"),
    "parrot": _("Parrot"),
    "lotus": _("Lotus"),
    "mango": _("Mango"),
    "kite": _("Kite"),
    "lamp": _("Lamp"),
    "tea": _("Tea"),
    "moon": _("Moon"),
}
BOT_FACES: Final = ("bot1", "bot2", "bot3", "bot4")
FACE_LENGTH: Final = 10

_CODES: Final = tuple(FACES)


def choose_face(user_id: int, *, chosen: str, is_bot: bool) -> str:
    """Return the code of a user's face: the chosen one if it is valid, else one that follows from the user's id."""
    codes = BOT_FACES if is_bot else _CODES
    return chosen if chosen in codes else codes[user_id % len(codes)]
