"""Acts at a table without sockets or waiting: tests move the stored times instead."""

import random
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.engine.base import Strength
from games.registry import get_game
from players.ranking.ratings import SETTLES_WITHIN
from tables.live.clock import act_on_table
from tables.models import Follow, Match, PlayerRating, Seat, Table, TableStatus, TableTemplate
from tables.play.change import TableChange
from tables.play.move import MoveRequest, Played, play_move
from tables.play.seat_view import find_host
from tables.seating.events import EventTable, EventTerms, Guest, open_event_tables
from tables.seating.hosting.private_tables import open_private
from tables.seating.hosting.services import start_table
from tables.seating.sitting import leave_table, play_again, take_seat
from tables.seating.supply import compute_usual_amount
from tests.given import reload, require
from tournaments.models import Tournament, TournamentTemplate
from tournaments.running.scheduling import make_tournament
from wallet.ledger.balances import get_player_balances
from wallet.money import Currency

BUY_IN = 800
WELCOME = 10_000  # the chips of a new player
# The terms of a free private table.
CODE = "abcdefghijkl"
FREE: dict[str, Any] = {"point_value": 0, "entry_fee": 0, "invite_code": CODE}


def make_kind(**terms: Any) -> TableTemplate:
    """Make an open table template. Without other terms it is points rummy for two."""
    stake = {} if "entry_fee" in terms else {"point_value": 1}
    given = {"game": "indian", "preset": "points", "name": "Neem Room", "max_seats": 2}
    return TableTemplate.objects.create(**{**given, **stake, **terms})


def seat_all(table: Table, *players: User, amount: int | None = None, **more: Any) -> None:
    """Seat the players on the first free seats, with the table's invite code and its usual stack."""
    if amount is None:
        amount = table.entry_fee or (0 if table.is_free else BUY_IN)
    terms = {"amount": amount, "invite": table.invite_code, **more}
    for player in players:
        take_seat(table_id=table.pk, user_id=player.pk, **terms)


def leave(table: Table, player: User) -> None:
    leave_table(table_id=table.pk, user_id=player.pk)


def list_seated(table: Table) -> list[int]:
    """Return the ids of the users seated at the table, by seat number."""
    seats = Seat.objects.filter(table=table, left_at=None).order_by("number")
    return list(seats.values_list("user", flat=True))


def chips_of(user: User) -> int:
    """Return the chips that the player can bring to a table."""
    return get_player_balances(user.pk).chips


def befriend(one: User, other: User) -> None:
    Follow.objects.create(user=one, followed=other)
    Follow.objects.create(user=other, followed=one)


def rate(
    user: User, value: float, deviation: float = 80, *, format: str = "POINTS", matches: int = 20
) -> PlayerRating:
    """Give the player a rating in a format of Indian rummy."""
    return PlayerRating.objects.create(
        user=user, game="indian", format=format, value=value, deviation=deviation,
        volatility=0.06, matches=matches, rated_at=timezone.now(),
    )  # fmt: skip


def make_cup(*, minutes: int = 0, **terms: Any) -> Tournament:
    """Announce a tournament for three players at one table, which begins in this many minutes."""
    given = {"game": "indian", "preset": "deals2", "name": "Monsoon Cup", "seats": 3}
    usual = {**given, "qualifiers": 1, "deals": 1, **terms}
    now = timezone.now()
    return make_tournament(
        TournamentTemplate.objects.create(**usual),
        starts_at=now + timedelta(minutes=minutes),
        now=now,
    )


def make_event_terms(**terms: Any) -> EventTerms:
    """Return the terms of an event that begins now: chips, two deals, one qualifier."""
    game = get_game("indian")
    rules = game.rules.json(game.rules.preset("deals2")) | {"qualifiers": 1}
    usual = {"game": "indian", "event_url": "/events/7/", "currency": Currency.CHIPS}
    return EventTerms(**{**usual, "rules": rules, "starts_at": timezone.now(), **terms})


def open_event_table(terms: EventTerms, *users: User) -> Table:
    """Open an event's table for these users, who may be bots. Its match is about to begin."""
    guests = [Guest(user.pk, user.is_bot) for user in users]
    (table,) = open_event_tables(terms, [EventTable("Round 1, table 1", guests)])
    return table


def seat_a_bot(table: Table) -> TableChange | None:
    """Make the table's next practice bot due now, and let it sit down."""
    Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
    return act_on_table(table.pk)


def start_with_a_bot(table: Table, *players: User) -> Table:
    """Seat the players and one practice bot, and let the match begin."""
    seat_all(table, *players)
    seat_a_bot(table)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    return table


def open_and_sit(template: TableTemplate, user: User) -> Table:
    """Open a private table of a template and seat the player with the amount that "Play now" brings."""
    table = open_private(template_id=template.pk, user_id=user.pk)
    amount = compute_usual_amount(table, user.pk)
    take_seat(table_id=table.pk, user_id=user.pk, amount=amount, invite=table.invite_code)
    return table


def state_of(table: Table) -> bytes:
    assert table.state is not None
    return bytes(table.state)


def let_time_pass(table: Table) -> TableChange | None:
    """Make the table's next deadline due now, and let the clock act on it."""
    with transaction.atomic():  # a socket that closes just now may not lock the row in between
        Table.objects.filter(pk=table.pk).update(deadline_at=Now(), bot_due_at=None)
        return act_on_table(table.pk)


def run_out_of_time(table: Table) -> None:
    """Move a running match 200 seconds into the past, so that its deadline has passed."""
    game = get_game(reload(table).game)
    state = game.core.postpone(game.stored.load(state_of(table)), by_ms=-200_000)
    Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state), deadline_at=Now())


def expire_turn(table: Table) -> TableChange | None:
    """Let the current turn of the running match time out, and let the clock act on it."""
    run_out_of_time(table)
    return act_on_table(table.pk)


def begin_next_deal(table: Table) -> None:
    """End the break between two deals. If the table waits for a press, its only person asks for the next deal."""
    if reload(table).awaits_press:
        person = table.sittings.get(left_at=None, user__is_bot=False)
        play_again(table_id=table.pk, user_id=person.user_id, amount=0)
    expire_turn(table)


def start_match(table: Table, *players: User) -> Table:
    """Seat the players and let the match begin."""
    seat_all(table, *players)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    return table


def begin_next_match(table: Table) -> Match:
    """Let all people ask for the next match, and let the host start it at a hosted table. Return the match."""
    people = table.sittings.filter(left_at=None, user__is_bot=False)
    for user_id in people.order_by("number").values_list("user_id", flat=True):
        play_again(table_id=table.pk, user_id=user_id, amount=0)
    if reload(table).awaits_press:
        host = require(find_host(table, people.select_related("user")))
        start_table(table_id=table.pk, user_id=host.user_id)
    let_time_pass(table)
    return get_match(table)


def begin_match(table: Table, *players: User) -> Match:
    """Seat the players, let the match begin and return it."""
    return get_match(start_match(table, *players))


def play_short_match(table: Table, *players: User) -> Match:
    """Seat the players and let the first one to move drop. With two players, that ends a match of points."""
    start_match(table, *players)
    drop(table)
    return get_match(table)


def get_match(table: Table) -> Match:
    """Return the table's last match."""
    return Match.objects.filter(table=table).latest("pk")


def settle(*matches: Match) -> None:
    """Move the end of these matches, or of all, so far into the past that ratings and totals count them."""
    ended = Match.objects.filter(pk__in=[one.pk for one in matches]) if matches else Match.objects
    ended.filter(ended_at__isnull=False).update(
        ended_at=Now() - SETTLES_WITHIN - timedelta(seconds=1)
    )


def game_view(table: Table) -> dict[str, Any]:
    game = get_game(reload(table).game)
    return game.view.public(game.stored.load(state_of(table)))


def hand_of(table: Table, seat: int) -> dict[str, Any]:
    game = get_game(reload(table).game)
    return game.view.private(game.stored.load(state_of(table)), seat)


def player_at(table: Table, seat: int) -> User:
    return Seat.objects.select_related("user").get(table=table, number=seat, left_at=None).user


def act(table: Table, seat: int, /, *, move_id: UUID | None = None, **move: object) -> Played:
    user_id = Seat.objects.values_list("user_id", flat=True).get(
        table=table, number=seat, left_at=None
    )
    return play_move(MoveRequest(table_id=table.pk, user_id=user_id, move=move, move_id=move_id))


def drop(table: Table) -> int:
    """Let the current player drop. Return their seat."""
    seat: int = game_view(table)["turn"]
    assert act(table, seat, kind="drop").refusal is None
    return seat


def play_a_turn(table: Table) -> None:
    """Draw from the closed deck and discard that card."""
    seat = game_view(table)["turn"]
    assert act(table, seat, kind="draw", source="closed").refusal is None
    assert act(table, seat, kind="discard", card=hand_of(table, seat)["drawn"]).refusal is None


def play_to_the_end(table: Table, *, strength: Strength = "medium") -> Match:
    """Play the match to its end. A bot chooses the moves of every player, bots and people alike."""
    rng = random.Random(1)
    return _play_on(table, lambda: play_for_a_player(table, strength=strength, rng=rng))


def hurry_to_the_end(table: Table, *, whole_deals: int = 0, strength: Strength = "easy") -> Match:
    """Play only the last move of each deal at the table. Earlier moves change its state, but are not recorded.

    The first `whole_deals` deals are played and recorded move by move.
    """
    rng = random.Random(1)

    def skip_to_the_last_move() -> int | None:
        game = get_game(table.game)
        state = game.stored.load(state_of(table))
        if game.core.status(state).deals <= whole_deals:
            return play_for_a_player(table, strength=strength, rng=rng)
        now = time.time_ns() // 1_000_000
        while (chosen := _choose(table, state, strength=strength, rng=rng)) is not None:
            seat, move = chosen
            reached = game.core.play(state, seat, game.wire.read(move), now=now, seed=bytes(32))
            if reached.status.result or reached.status.deals > game.core.status(state).deals:
                break
            if not reached.status.acting:
                break
            state = reached.state
        if chosen is None:
            return None
        Table.objects.filter(pk=table.pk).update(state=game.stored.dump(state))
        return _act_as_chosen(table, *chosen)

    return _play_on(table, skip_to_the_last_move)


def _play_on(table: Table, play: Callable[[], int | None]) -> Match:
    for _ in range(20_000):
        if not _is_playing(table):
            return get_match(table)
        if play() is None:  # between two deals
            expire_turn(table)
    raise AssertionError("the match does not end")


def _is_playing(table: Table) -> bool:
    """Tell whether the match is running. Reload the whole row, which costs more, only once it is over."""
    table.refresh_from_db(fields=["state", "status"])
    return table.status == TableStatus.PLAYING or reload(table).status == TableStatus.PLAYING


def play_for_a_player(table: Table, *, strength: Strength, rng: random.Random) -> int | None:
    """Play a bot's choice of move for the current player. Return their seat, or None between deals."""
    chosen = choose_move(table, strength=strength, rng=rng)
    return None if chosen is None else _act_as_chosen(table, *chosen)


def choose_move(
    table: Table, *, strength: Strength, rng: random.Random
) -> tuple[int, dict[str, Any]] | None:
    """Return the current player's seat and a bot's move for it, or None between deals."""
    state = get_game(table.game).stored.load(state_of(table))
    return _choose(table, state, strength=strength, rng=rng)


def _choose(
    table: Table, state: Any, *, strength: Strength, rng: random.Random
) -> tuple[int, dict[str, Any]] | None:
    game = get_game(table.game)
    waiting = game.core.status(state).acting
    if not waiting:
        return None
    seat = waiting[0]
    view = {
        "public": game.view.public(state),
        "you": game.view.private(state, seat),
        "rules": table.rules,
    }
    return seat, game.bots(view, seat, strength=strength, rng=rng)


def _act_as_chosen(table: Table, seat: int, move: Mapping[str, Any]) -> int:
    played = act(table, seat, **move)
    assert played.refusal is None, played.refusal
    return seat


def end_match(table: Table) -> Match:
    """Let all players drop, each in turn, deal after deal, until the match ends."""
    game = get_game(table.game)
    for _ in range(200):
        if not _is_playing(table):
            return get_match(table)
        if waiting := game.core.status(game.stored.load(state_of(table))).acting:
            assert act(table, waiting[0], kind="drop").refusal is None
        else:
            begin_next_deal(table)
    raise AssertionError("the match does not end")
