"""The words of each kind of call: a title, and a sentence with the name filled in."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Words(NamedTuple):
    title: str | Promise
    body: str | Promise


TURN = "turn"
ROUND = "round"
AWAY = "away"
CANCELLED = "cancelled"

WORDS: Mapping[str, Words] = {
    TURN: Words(_("Your turn"), _("They wait for you at {name}.")),
    ROUND: Words(_("Your table is ready"), _("A round of {name} begins.")),
    CANCELLED: Words(_("A tournament was cancelled"), _("{name} does not take place.")),
    AWAY: Words(_("You still sit at a table"), _("{name} goes on without you.")),
}
