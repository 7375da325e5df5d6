"""The only place where a seat's view is built: the public view, and the private view of one seat.

Nothing else of a table is sent to a browser. docs/protocol.md defines the fields of both views.

Each process caches the newest states of tables with their views. A move needs the views before and after it, and the
view before it is usually the view after the previous move. An entry is used only for the exact bytes from which it was
built, so it is never stale, and any process may serve any table.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.db.models import OuterRef, QuerySet
from django.utils.translation import override

from accounts.people.preferences import get_frame
from games.engine.base import Instant
from games.engine.core import GameStatus, Outcome
from games.engine.game import Game
from games.registry import get_format, get_game
from tables.catalog import format_title
from tables.models import Match, PlayerRating, Seat, SeatStatus, Table, TableStatus
from tables.models.ratings import rating_text
from tables.play.lock import milliseconds
from tables.play.seeds import compute_commitment

View = dict[str, Any]
_WAITS_FOR_A_DEAL = {TableStatus.STARTING, TableStatus.BETWEEN}
_NOTHING = object()


def table_view(table: Table) -> View:
    """Return the public view of a table without its game. Amounts are in the smallest unit of its currency.

    `name` and `title` are in the site's default language, because spectators of all languages share one view.
    """
    with override(settings.LANGUAGE_CODE):
        title = format_title(table)
    deadline = None if table.deadline_at is None else milliseconds(table.deadline_at)
    return {
        "id": table.pk,
        "name": table.name,
        "format": table.format,
        "stake": get_format(table.game, table.format).stake,
        "title": title,
        "game": table.game,
        "max_seats": table.max_seats,
        "currency": table.currency,
        "point_value": table.point_value,
        "entry_fee": table.entry_fee,
        "min_buy_in": table.min_buy_in,
        "max_buy_in": table.max_buy_in,
        "practice": table.is_practice,
        "api_players": table.allows_api_players,
        "watchers": table.allows_watchers,
        "chat": table.allows_chat,
        "fills": table.fills_with_bots,
        "plays_on": table.bots_take_over,
        "help": _help(table),
        "event_url": table.event_url,
        "names": {} if table.match is None else match_names(table.match),
        "places": get_ranks(table.match),
        "stand_ins": list_stand_ins(table.match),
        **table_standing(table, deadline=deadline),
    }


def _help(table: Table) -> View:
    """Return whether the table offers each kind of help. Both are False if the game answers no questions."""
    answers = get_game(table.game).hand_help is not None
    return {
        "arrangement": answers and table.helps_to_arrange,
        "verdict": answers and table.helps_to_declare,
    }


def match_names(match: Match) -> View:
    """Return a mapping from seat to the player's name, as it was when the match began or as staff have corrected it.

    A result shows these names: players leave, and others take their seats.
    """
    return {seat: player["name"] for seat, player in match.players.items()}


def get_ranks(match: Match | None) -> View:
    """Return a mapping from seat to the player's rank, from 1. It is empty until the match is over."""
    return {} if match is None or match.result is None else match.result["ranks"]


def list_stand_ins(match: Match | None) -> list[int]:
    """Return the seats in which a bot has played for the player during this match, ascending."""
    players = {} if match is None else match.players
    return sorted(int(seat) for seat, player in players.items() if player.get("stand_in"))


def table_standing(table: Table, *, deadline: Instant | None) -> View:
    """Return the part of the table's view that changes between matches."""
    return {
        "rake_bps": table.rake_bps,
        "rake_cap": table.rake_cap,
        "status": table.status.lower(),
        "due_at": None if table.awaits_press or table.status not in _WAITS_FOR_A_DEAL else deadline,
        "awaits_press": table.awaits_press,
        "match": table.match_id,
        "settlement": table.settlement,
        "out_of_order": table.broken_at is not None,
        "commitment": compute_commitment(bytes(table.next_seed)),
    }


def seats_view(table: Table, sittings: Sequence[Seat], stacks: Mapping[int, int]) -> list[View]:
    """Return one entry for each seat, taken or free. `stacks` maps the id of a sitting to its stack."""
    by_number = {sitting.number: sitting for sitting in sittings}
    chairs = [
        _build_chair(number, by_number.get(number), stacks) for number in range(table.max_seats)
    ]
    host = find_host(table, sittings)
    if host is not None:
        chairs[host.number]["host"] = True
    return chairs


def find_host(table: Table, sittings: Iterable[Seat]) -> Seat | None:
    """Return the sitting of a hosted table's host; None at other tables.

    The host is the player to whom the role was passed on. Otherwise it is the player who opened the table, or else the
    player who has sat there longest. A guest becomes host only if there is no other player. A player who leaves with
    the running match is no longer the host.
    """
    if not table.is_hosted:
        return None
    staying = [
        sitting
        for sitting in sittings
        if not sitting.user.is_bot and sitting.status != SeatStatus.LEAVING
    ]

    def rank(sitting: Seat) -> tuple[bool, bool, bool, int]:
        user = sitting.user
        return user.pk != table.host_id, user.pk != table.opened_by_id, user.is_guest, sitting.pk

    return min(staying, key=rank, default=None)


def _build_chair(number: int, sitting: Seat | None, stacks: Mapping[int, int]) -> View:
    if sitting is None:
        return {"seat": number, "player": None, "stack": 0, "state": None}
    user, rating = sitting.user, rating_at(sitting)
    return {
        "seat": number,
        "player": {
            "id": user.pk,
            "name": user.player_name,
            "bot": user.is_bot,
            "face": user.shown_face,
            **({} if (frame := get_frame(user)) is None else {"frame": frame}),
            **({"guest": True} if user.is_guest else {}),
            **({} if rating is None else {"rating": rating}),
        },
        "stack": stacks.get(sitting.pk, 0),
        "state": SeatStatus(sitting.status).lower(),
        **({"again": True} if sitting.plays_again else {}),
        **({} if sitting.bot_since is None else {"stand_in": True}),
    }


def build_private_views(game: Game, state: Any, seats: Sequence[int]) -> dict[str, View]:
    """Return the private view of each seat of the match, by seat number as a string."""
    return {str(seat): own_view(game, state, seat) for seat in seats}


def own_view(game: Game, state: Any, seat: int) -> View:
    """Return the private view of this seat, with its legal moves."""
    return {**game.view.private(state, seat), "legal": game.core.describe_legal(state, seat)}


def is_open(part: Mapping[str, Any], open_moves: frozenset[str]) -> bool:
    """Return whether a change of a private view holds only legal moves that everybody may know."""
    return part.keys() == {"legal"} and all(entry["kind"] in open_moves for entry in part["legal"])


def compute_difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> View:
    """Return the keys of `after` whose values have changed. A view's keys never disappear."""
    return {key: value for key, value in after.items() if before.get(key, _NOTHING) != value}


# A table takes 18 to 46 KB, at most 75 (docs/bots.md), so the cache stays below 188 MB.
REMEMBERED: Final = 2_500

_positions: OrderedDict[int, "Position"] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a game with its public and private views. It is shared: do not modify it."""

    state: Any
    stored: bytes
    public: View
    private: Mapping[str, View]
    status: GameStatus


def load_position(game: Game, table_id: int, stored: bytes) -> Position:
    """Return the position for these bytes of the table's row."""
    with _lock:
        remembered = _positions.get(table_id)
        if remembered is not None and remembered.stored == stored:
            _positions.move_to_end(table_id)
            return remembered
    state = game.stored.load(stored)
    return _remember(game, table_id, state, stored, game.core.status(state))


def cache_position(game: Game, table_id: int, outcome: Outcome) -> Position:
    """Return and cache the position of a state that is about to be stored."""
    return _remember(game, table_id, outcome.state, game.stored.dump(outcome.state), outcome.status)


def _remember(game: Game, table_id: int, state: Any, stored: bytes, status: GameStatus) -> Position:
    views = game.view.public(state), build_private_views(game, state, status.seats)
    position = Position(state, stored, *views, status)
    with _lock:
        _positions[table_id] = position
        _positions.move_to_end(table_id)
        if len(_positions) > REMEMBERED:
            _positions.popitem(last=False)
    return position


def with_ratings(sittings: QuerySet[Seat], table: Table) -> QuerySet[Seat]:
    """Annotate the sittings of a rated table with the columns that `rating_at` reads."""
    if not table.is_rated:
        return sittings
    own = PlayerRating.objects.filter(user=OuterRef("user"), game=table.game, format=table.format)
    return sittings.annotate(
        rated_value=own.values("value"), rated_deviation=own.values("deviation")
    )


def rating_at(sitting: Seat) -> str | None:
    """Return the rating of a sitting's player as text.

    It is None for a player without a rating, and at an unrated table.
    """
    value: float | None = getattr(sitting, "rated_value", None)
    return None if value is None else rating_text(value, getattr(sitting, "rated_deviation", 0.0))
