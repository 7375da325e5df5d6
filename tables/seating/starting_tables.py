"""The initial data of a new site: fees, withdrawal and tax rules, practice bots, tables for chips."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounts.people.bots import get_practice_bots
from tables.catalog import list_offered_games
from tables.models import Table, TableTemplate
from tables.seating.supply import keep_supplied
from wallet import api as wallet
from wallet.money import Currency


@transaction.atomic
def make_starting_tables() -> tuple[int, int]:
    """Create the starting tables. Return how many templates and tables exist afterwards.

    Each kind of row is created only if there is none, and tables only for offered games. Staff can change all of it
    later.
    """
    get_practice_bots()
    wallet.set_starting_fees(valid_from=timezone.now())
    wallet.set_starting_rules(valid_from=timezone.now())
    for game, templates in _TEMPLATES.items():
        if game in list_offered_games() and not TableTemplate.objects.filter(game=game).exists():
            TableTemplate.objects.bulk_create(templates())
    keep_supplied()
    return TableTemplate.objects.count(), Table.objects.count()


def make_starting_cash_tables() -> None:
    """Create fees and tables for cash, so that players can play with their deposits."""
    wallet.set_starting_fees(valid_from=timezone.now(), currency=Currency.INR)
    if not TableTemplate.objects.filter(currency=Currency.INR).exists():
        TableTemplate.objects.bulk_create(_cash_templates())
    keep_supplied()


def _cash_templates() -> list[TableTemplate]:
    """Return the templates for cash, with stakes in paise."""
    return [
        _indian(name="Rupee Room", currency=Currency.INR, max_seats=2, point_value=10),
        _indian(
            name="Ganga Hall",
            currency=Currency.INR,
            max_seats=4,
            preset="pool101",
            entry_fee=2_000,
        ),
    ]


def _indian_templates() -> list[TableTemplate]:
    return [
        _indian(
            name="Mango Grove",
            max_seats=2,
            point_value=1,
            bots_wanted=1,
            bot_strength="easy",
            allows_api_players=True,
        ),
        *_with_bots(
            {
                (3, 1): "Tulsi Grove",
                (4, 1): "Guava Grove",
                (5, 1): "Papaya Grove",
                (6, 1): "Fig Grove",
                (2, 2): "Kadam Court",
                (3, 2): "Sal Court",
                (4, 2): "Banyan Court",
                (5, 2): "Teak Court",
                (6, 2): "Ashoka Court",
                (2, 5): "Breeze Hall",
                (3, 5): "Cloud Hall",
                (4, 5): "Rain Hall",
                (5, 5): "Thunder Hall",
                (6, 5): "Monsoon Hall",
            },
            _indian,
        ),
        _indian(name="Jasmine Court", max_seats=3, preset="pool101", entry_fee=200, bots_wanted=2),
        _indian(name="Neem Court", max_seats=2, preset="deals2", entry_fee=100, bots_wanted=1),
        *_for_people(
            {
                (2, 1): "Peacock Room",
                (3, 1): "Sparrow Room",
                (4, 1): "Koel Room",
                (5, 1): "Heron Room",
                (6, 1): "Parrot Room",
                (2, 5): "Iris Room",
                (3, 5): "Dahlia Room",
                (4, 5): "Lotus Room",
                (5, 5): "Champa Room",
                (6, 5): "Marigold Room",
                (2, 10): "Leopard Room",
                (3, 10): "Panther Room",
                (4, 10): "Elephant Room",
                (5, 10): "Rhino Room",
                (6, 10): "Tiger Room",
            },
            _indian,
        ),
        _indian(name="Saffron Hall", max_seats=6, preset="pool201", entry_fee=500, is_rated=True),
        _indian(name="Ivory Hall", max_seats=4, preset="pool61", entry_fee=100, is_rated=True),
        _indian(name="Cedar Room", max_seats=2, preset="deals3", entry_fee=250, is_rated=True),
        _indian(name="Lily Court", max_seats=2, preset="deals6", entry_fee=200, bots_wanted=1),
        _indian(name="Ebony Court", max_seats=2, preset="deals6", entry_fee=500, is_rated=True),
        _indian(
            name="Bamboo Room", max_seats=2, preset="junglee-points", point_value=2, bots_wanted=1
        ),
        _indian(
            name="Orchid Room", max_seats=4, preset="junglee-points", point_value=5, is_rated=True
        ),
    ]


def _indian(*, preset: str = "points", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="indian", preset=preset, **stakes)


# Names of tables by their seats and the chips a point. Every number of seats has every stake: a player who changes
# one of them in the lobby keeps the other (static/js/lobby/choice.js).
_Grid = Mapping[tuple[int, int], str]
# From this stake on bots play their best.
_HARD_FROM: Final = 5


def _with_bots(names: _Grid, build: Callable[..., TableTemplate]) -> list[TableTemplate]:
    return [
        build(
            name=name,
            max_seats=seats,
            point_value=stake,
            bots_wanted=seats - 1,
            bot_strength="hard" if stake >= _HARD_FROM else "medium",
        )
        for (seats, stake), name in names.items()
    ]


def _for_people(names: _Grid, build: Callable[..., TableTemplate]) -> list[TableTemplate]:
    return [
        build(name=name, max_seats=seats, point_value=stake, is_rated=True)
        for (seats, stake), name in names.items()
    ]


def _gin_templates() -> list[TableTemplate]:
    return [
        _gin(
            name="Juniper Room",
            point_value=1,
            bots_wanted=1,
            bot_strength="easy",
            allows_api_players=True,
        ),
        _gin(name="Cardamom Room", point_value=2, bots_wanted=1, bot_strength="hard"),
        _gin(name="Coral Room", point_value=2, is_rated=True),
        _gin(name="Amber Court", preset="game100", entry_fee=100, bots_wanted=1),
        _gin(name="Marble Court", preset="game100", entry_fee=250, is_rated=True),
        _gin(name="Clove Room", preset="oklahoma", point_value=2, bots_wanted=1),
        _gin(name="Topaz Room", preset="oklahoma", point_value=2, is_rated=True),
    ]


def _gin(*, preset: str = "points", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="gin", preset=preset, max_seats=2, **stakes)


def _rummikub_templates() -> list[TableTemplate]:
    """Return Rummikub's templates. Those with the lowest stake have the 30-point rules, which most people know."""
    return [
        _rummikub(
            name="Tamarind Room",
            preset="modern",
            point_value=1,
            bots_wanted=2,
            bot_strength="easy",
            allows_api_players=True,
        ),
        _rummikub(name="Opal Room", preset="modern", point_value=1, is_rated=True),
        _rummikub(name="Sandal Court", preset="modern4", entry_fee=100, bots_wanted=2),
        _rummikub(name="Garnet Court", preset="modern4", entry_fee=200, is_rated=True),
        _rummikub(name="Walnut Room", point_value=2, bots_wanted=3, bot_strength="hard"),
        _rummikub(name="Pearl Room", point_value=2, is_rated=True),
        _rummikub(name="Ruby Court", preset="session4", entry_fee=200, bots_wanted=2),
    ]


def _rummikub(*, preset: str = "points", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="rummikub", preset=preset, max_seats=4, **stakes)


def _basic_templates() -> list[TableTemplate]:
    return [
        _basic(
            name="Willow Room",
            max_seats=2,
            point_value=1,
            bots_wanted=1,
            bot_strength="easy",
            allows_api_players=True,
        ),
        *_with_bots(
            {
                (3, 1): "Alder Room",
                (4, 1): "Beech Room",
                (2, 2): "Aster Court",
                (3, 2): "Poppy Court",
                (4, 2): "Hazel Court",
            },
            _basic,
        ),
        *_for_people({(2, 2): "Plum Room", (3, 2): "Apricot Room", (4, 2): "Cherry Room"}, _basic),
        _basic(name="Cypress Court", max_seats=4, preset="race100", entry_fee=100, bots_wanted=3),
        _basic(name="Rowan Room", max_seats=2, preset="one_meld", point_value=2, bots_wanted=1),
        _basic(name="Elm Room", max_seats=4, preset="one_meld", point_value=2, is_rated=True),
    ]


def _basic(*, preset: str = "points", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="basic", preset=preset, **stakes)


def _contract_templates() -> list[TableTemplate]:
    return [
        _contract(
            name="Olive Room",
            max_seats=3,
            preset="single",
            point_value=1,
            bots_wanted=2,
            bot_strength="easy",
            allows_api_players=True,
        ),
        _contract(name="Laurel Court", max_seats=4, entry_fee=100, bots_wanted=3),
        _contract(name="Birch Court", max_seats=4, entry_fee=200, is_rated=True),
        *(
            _contract(name=name, max_seats=4, preset=preset, entry_fee=200, **company)
            for preset, *names in _CONTRACT_OPTIONS
            for name, company in zip(names, _COMPANIES, strict=True)
        ),
    ]


_COMPANIES: Final[tuple[dict[str, Any], ...]] = ({"bots_wanted": 3}, {"is_rated": True})
# A preset, the name of its table with bots, and of its table for people.
_CONTRACT_OPTIONS: Final = (
    ("no_buying", "Fir Court", "Spruce Court"),
    ("multiple_buys", "Yew Court", "Larch Court"),
    ("deuces_wild", "Holly Court", "Ivy Court"),
    ("pagat", "Acacia Court", "Linden Court"),
)


def _contract(*, preset: str = "contract", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="contract", preset=preset, **stakes)


def _five_hundred_templates() -> list[TableTemplate]:
    return [
        _five_hundred(
            name="Poplar Room",
            max_seats=2,
            point_value=1,
            bots_wanted=1,
            bot_strength="easy",
            allows_api_players=True,
        ),
        *_with_bots({(3, 1): "Sorrel Court", (4, 1): "Maple Court"}, _five_hundred),
        _five_hundred(
            name="Almond Court", max_seats=4, preset="race500", entry_fee=100, bots_wanted=3
        ),
        _five_hundred(
            name="Aspen Court", max_seats=4, preset="race250", entry_fee=100, is_rated=True
        ),
    ]


def _five_hundred(*, preset: str = "points", **stakes: Any) -> TableTemplate:
    return TableTemplate(game="five_hundred", preset=preset, **stakes)


_TEMPLATES: Final[Mapping[str, Callable[[], list[TableTemplate]]]] = {
    "indian": _indian_templates,
    "gin": _gin_templates,
    "basic": _basic_templates,
    "contract": _contract_templates,
    "rummikub": _rummikub_templates,
    "five_hundred": _five_hundred_templates,
}
