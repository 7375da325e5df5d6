"""The wallet's interface for other apps.

`from wallet import api as wallet`. Other apps import only this module, `wallet.money` and `wallet.refusals`;
their administration and reports may also import `wallet.models` and `wallet.desk`. An import contract forbids
the rest. The functions that move money are written out below; those that answer a question are imported.

Amounts are whole numbers of the smallest unit: paise for INR, chips for CHIPS. A `key` names one business
event ("match:42:settle"). The same key with the same facts moves nothing again; with other facts it raises
IdempotencyConflict. A `subject` ("table:7") is the page that statements link to. Every function works inside
the caller's transaction and locks ledger accounts last, so the caller locks its own rows first. A refusal
leaves that transaction usable, except where the docstring says that a refusal is a bug.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.refusals import Refusal
from wallet.cash import cash_is_on
from wallet.chips.services import MOST_CHIPS, adjust_chips, forget_free_chips, grant_welcome_chips
from wallet.fees.formats import ChargedFormat, add_charged_formats, list_charged_formats
from wallet.fees.selectors import FeeTerms, get_fee, read_fees
from wallet.fees.services import set_starting_fees
from wallet.ledger import chart
from wallet.ledger.balances import (
    PlayerBalances,
    compute_spendable,
    get_player_balances,
    get_prize_pool_balances,
    get_seat_balances,
)
from wallet.ledger.chart import PostingLine
from wallet.ledger.checks import add_checks, get_last_ledger_check
from wallet.ledger.entries import find_transfers
from wallet.ledger.holds import Held, hold, release
from wallet.ledger.posting import (
    BALANCE,
    Posting,
    post_each,
    post_in_transaction,
    post_transfers,
    sweep,
    translate_refusals,
)
from wallet.ledger.roles import WrongLoginError, refuse_to_serve_with_a_wrong_login
from wallet.limits.selectors import (
    OwnLimits,
    filter_barred,
    get_own_limits,
    has_own_limits,
    is_of_barred,
)
from wallet.limits.services import lock_open_account, refuse_if_barred
from wallet.models import Reason
from wallet.money import Currency, rake, split_evenly
from wallet.refusals import NOTHING_TO_REVERSE, InsufficientFunds
from wallet.stakes.buckets import cash_back, parts_to_reserve, pay_from_wallet
from wallet.stakes.refunds import (
    build_lines_back,
    build_refund_lines,
    list_fees_to_refund,
    refund_key,
)
from wallet.statement.texts import Names, add_names
from wallet.tax.figures import set_starting_rules

__all__ = [
    "BALANCE",
    "MOST_CHIPS",
    "ChargedFormat",
    "Fee",
    "FeeTerms",
    "OwnLimits",
    "PlayerBalances",
    "PointsSettlement",
    "Prize",
    "WrongLoginError",
    "adjust_chips",
    "buy_in",
    "cash_is_on",
    "cash_out",
    "compute_spendable",
    "correct_match",
    "filter_barred",
    "find_transfers",
    "forget_free_chips",
    "get_fee",
    "get_last_ledger_check",
    "get_own_limits",
    "get_player_balances",
    "get_prize_pool_balances",
    "get_seat_balances",
    "grant_welcome_chips",
    "has_own_limits",
    "is_of_barred",
    "list_charged_formats",
    "lock_open_account",
    "pay_league_prizes",
    "pay_tournament_fee",
    "pay_tournament_fees_in_chips",
    "read_fees",
    "refund_match",
    "refund_tournament_fee",
    "refund_tournament_fees",
    "refuse_if_barred",
    "refuse_to_serve_with_a_wrong_login",
    "register_app",
    "release_stack",
    "reserve_stack",
    "set_starting_fees",
    "set_starting_rules",
    "settle_points",
    "settle_pot",
    "settle_tournament",
    "take_entry_fees",
    "take_rejoin_fee",
]


@dataclass(frozen=True, slots=True)
class PointsSettlement:
    """A settled match for points: the losers paid `gross`, the winners got `net`.

    `shares` maps the id of a winner's seat to its part of `net`. All amounts are in the smallest unit.
    """

    gross: int
    rake: int
    net: int
    shares: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Fee:
    """An entry fee to take, with its idempotency key. `user_id` is None for a practice bot."""

    key: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize in the smallest unit. `user_id` is None for a practice bot: its prize goes to the mint."""

    user_id: int | None
    amount: int


# --- Seats at a table ---


def buy_in(  # noqa: PLR0913 - the facts of a payment, all by name
    *,
    user_id: int | None,
    seat_id: int,
    amount: int,
    currency: Currency,
    key: str,
    subject: str = "",
    is_top_up: bool = False,
) -> Posting:
    """Move `amount` from a player's wallet to a seat, or new chips for a practice bot (`user_id` None).

    Cash comes from the bonus up to the share that it may pay, then from deposits, then from winnings. `is_top_up` marks
    money for a seat that is already taken. Raises InsufficientFunds, WALLET_CLOSED, ACCOUNT_FROZEN or
    SELF_EXCLUDED; for cash also LOSS_LIMIT_REACHED, ADDRESS_NOT_CONFIRMED, CASH_IS_OFF or a refusal of the
    player's region. Raises ValueError for a bot's cash: bots never play for cash.
    """
    seat = chart.seat(seat_id, currency)
    if user_id is None:
        line = PostingLine(chart.mint(currency, seat_id), seat, amount, Reason.PRACTICE_CHIPS)
        return post_transfers(key=key, lines=[line], subject=subject)
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=seat,
        amount=amount,
        reason=Reason.TOP_UP if is_top_up else Reason.BUY_IN,
        key=key,
        subject=subject,
    )


def cash_out(
    *, seat_id: int, user_id: int | None, currency: Currency, key: str, subject: str = ""
) -> int:
    """Move a seat's whole stack back to its player, or to the mint for a practice bot (`user_id` None).

    Return the amount; 0 for an empty seat, which posts nothing. Cash that was brought returns to the buckets
    it came from, in the same proportion; cash won above it goes to the winnings. Works while cash is off too,
    so that players can always get their money back.
    """
    if currency is Currency.INR and user_id is not None:
        return cash_back(seat_id=seat_id, user_id=user_id, key=key, subject=subject)
    owner = chart.mint(currency, seat_id) if user_id is None else chart.player(user_id, currency)
    return sweep(
        key=key,
        source=chart.seat(seat_id, currency),
        destination=owner,
        reason=Reason.CASH_OUT,
        actor_id=user_id,
        subject=subject,
    ).amount


def reserve_stack(
    *,
    user_id: int,
    amount: int,
    currency: Currency,
    key: str,
    expires_at: datetime,
    subject: str = "",
) -> Held:
    """Hold `amount` of a player's wallet for a seat, from the buckets that a buy-in would use.

    Return the hold; keep its `hold_id` for `release_stack`. The hold is never captured: release it, then
    buy in. Raises InsufficientFunds, WALLET_CLOSED, ACCOUNT_FROZEN or SELF_EXCLUDED.
    """
    refuse_if_barred(user_id)
    house = chart.house(currency)
    parts = parts_to_reserve(user_id, amount, currency)
    lines = [
        PostingLine(source, house, part, Reason.BUY_IN) for source, part in parts.items() if part
    ]
    return hold(key=key, lines=lines, expires_at=expires_at, actor_id=user_id, subject=subject)


def release_stack(*, hold_id: int, key: str) -> None:
    """Release a reserved stack. Raises HoldEnded if it has been released or has expired."""
    release(hold_id=hold_id, key=key)


# --- Matches ---


def take_entry_fees(
    *, match_id: int, seat_ids: Sequence[int], amount: int, currency: Currency, key: str
) -> Posting:
    """Move an entry fee of `amount` from every seat into the match's pot, all or none.

    Raises InsufficientFunds if one of the seats holds less.
    """
    pot = chart.pot(match_id, currency)
    lines = [
        PostingLine(chart.seat(seat_id, currency), pot, amount, Reason.ENTRY_FEE)
        for seat_id in sorted(seat_ids)
    ]
    return post_transfers(key=key, lines=lines, subject=f"match:{match_id}")


def take_rejoin_fee(
    *, match_id: int, user_id: int | None, amount: int, currency: Currency, key: str
) -> Posting:
    """Move another entry fee into the pot for an eliminated player (R8.2).

    It comes from the player's wallet, or from the mint for a practice bot (`user_id` None). Raises what
    `buy_in` raises.
    """
    pot, subject = chart.pot(match_id, currency), f"match:{match_id}"
    if user_id is None:
        line = PostingLine(chart.mint(currency, match_id), pot, amount, Reason.ENTRY_FEE)
        return post_transfers(key=key, lines=[line], subject=subject)
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=pot,
        amount=amount,
        reason=Reason.ENTRY_FEE,
        key=key,
        subject=subject,
    )


def settle_points(  # noqa: PLR0913 - the facts of a settlement, all by name
    *,
    match_id: int,
    table_id: int,
    currency: Currency,
    winner_seat_ids: Sequence[int],
    losses: Mapping[int, int],
    rake_bps: int,
    rake_cap: int | None,
    key: str,
) -> PointsSettlement:
    """Move each losing seat's loss (R7.2) to the winners, less the rake (R4.7).

    `losses` maps the id of a seat to its loss. `rake_bps` is in basis points, `rake_cap` an amount or None.
    Several winners get equal parts; the odd units go to the first ones. Raises ValueError if there is no
    winner, if a winner has a loss, or if a loss is negative. A refusal is a bug, because a seat holds at least
    what a deal can cost: it is raised without a savepoint and ends the caller's transaction.
    """
    if (
        not winner_seat_ids
        or set(winner_seat_ids) & set(losses)
        or any(amount < 0 for amount in losses.values())
    ):
        raise ValueError("only losers pay, and they pay no negative amount")
    gross = sum(losses.values())
    fee = rake(gross, bps=rake_bps, cap=rake_cap)
    parts = split_evenly(gross - fee, len(winner_seat_ids))
    shares = dict(zip(winner_seat_ids, parts, strict=True))
    pot = chart.pot(match_id, currency)
    lines = [
        PostingLine(chart.seat(seat_id, currency), pot, losses[seat_id], Reason.STAKE)
        for seat_id in sorted(losses)
        if losses[seat_id]
    ]
    lines += _build_settlement_lines(match_id, table_id, currency, shares=shares, house_share=fee)
    _post_settlement(key=key, lines=lines, subject=f"match:{match_id}")
    return PointsSettlement(gross=gross, rake=fee, net=gross - fee, shares=shares)


def settle_pot(
    *,
    match_id: int,
    table_id: int,
    currency: Currency,
    shares: Mapping[int, int],
    house_share: int,
    key: str,
) -> None:
    """Move the whole pot of entry fees to the winners' seats and the house (R8.7, R9.1).

    `shares` maps the id of a seat to its share. Shares and `house_share` add up to the pot. A refusal is a
    bug: it is raised without a savepoint and ends the caller's transaction.
    """
    lines = _build_settlement_lines(
        match_id, table_id, currency, shares=shares, house_share=house_share
    )
    _post_settlement(key=key, lines=lines, subject=f"match:{match_id}")


def correct_match(  # noqa: PLR0913 - the facts of a correction, all by name
    *,
    match_id: int,
    payer_id: int,
    payee_id: int,
    amount: int,
    key: str,
    staff_id: int,
    house_pays_rest: bool,
) -> int:
    """Move cash that a finished match gave to the wrong player to the winnings of the right one.

    The cash comes from the payer's winnings, then from deposits. With `house_pays_rest` the house pays the
    part that the payer does not have. Return the house's part. Raises InsufficientFunds, also if the payer
    spends money at the same moment.
    """
    cash = get_player_balances(payer_id).cash
    from_winnings = min(amount, cash.winnings)
    from_deposits = min(amount - from_winnings, cash.deposit)
    by_house = amount - from_winnings - from_deposits
    if by_house and not house_pays_rest:
        raise InsufficientFunds
    to = chart.winnings(payee_id)
    sources = {
        chart.winnings(payer_id): from_winnings,
        chart.player(payer_id, Currency.INR): from_deposits,
        chart.bonus_expense(): by_house,
    }
    lines = [
        PostingLine(source, to, part, Reason.CORRECTION) for source, part in sources.items() if part
    ]
    post_transfers(key=key, lines=lines, actor_id=staff_id, subject=f"match:{match_id}")
    return by_house


def refund_match(*, match_id: int, currency: Currency, key: str) -> Posting | None:
    """Move everything that was paid into a match's pot back to where it came from.

    Return None if nothing was paid. The caller has locked the table. A pot that has already paid winners
    is a bug: the refusal is raised without a savepoint and ends the caller's transaction.
    """
    lines = build_refund_lines(match_id, currency)
    if not lines:
        return None
    with translate_refusals(savepoint=False):
        return post_in_transaction(key=key, lines=lines, subject=f"match:{match_id}")


def _build_settlement_lines(
    match_id: int,
    table_id: int,
    currency: Currency,
    *,
    shares: Mapping[int, int],
    house_share: int,
) -> list[PostingLine]:
    pot = chart.pot(match_id, currency)
    lines = [
        PostingLine(pot, chart.seat(seat_id, currency), share, Reason.WINNINGS)
        for seat_id, share in shares.items()
        if share
    ]
    if house_share:
        lines.append(PostingLine(pot, chart.rake(table_id, currency), house_share, Reason.RAKE))
    return lines


# --- Tournaments and leagues ---


def pay_tournament_fee(
    *,
    tournament_id: int,
    user_id: int,
    amount: int,
    currency: Currency,
    key: str,
    satellite_id: int | None = None,
) -> Posting:
    """Move an entry fee from a player's wallet into the prize pool. Raises what `buy_in` raises.

    With `satellite_id` the player pays with a ticket won in that tournament: the amount comes from the
    satellite's prize pool instead of the wallet.
    """
    pool, subject = chart.prize_pool(tournament_id, currency), _of_tournament(tournament_id)
    if satellite_id is not None:
        source = chart.prize_pool(satellite_id, currency)
        line = PostingLine(source, pool, amount, Reason.ENTRY_FEE)
        return post_transfers(key=key, lines=[line], subject=subject)
    refuse_if_barred(user_id)
    return pay_from_wallet(
        user_id=user_id,
        destination=pool,
        amount=amount,
        reason=Reason.ENTRY_FEE,
        key=key,
        subject=subject,
    )


def pay_tournament_fees_in_chips(
    *, tournament_id: int, fees: Sequence[Fee], amount: int
) -> list[str]:
    """Move many entry fees of `amount` chips into the prize pool in one SQL statement, all or none.

    Return the keys that had not been paid before. A bot's fee comes from the mint. Raises InsufficientFunds
    if one of the players has too few chips. The caller has checked that no player is barred.
    """
    pool = chart.prize_pool(tournament_id, Currency.CHIPS)
    mint = chart.mint(Currency.CHIPS, tournament_id)
    sources = [
        mint if fee.user_id is None else chart.player(fee.user_id, Currency.CHIPS) for fee in fees
    ]
    return post_each(
        keys=[fee.key for fee in fees],
        lines=[[PostingLine(source, pool, amount, Reason.ENTRY_FEE)] for source in sources],
        subject=_of_tournament(tournament_id),
    )


def refund_tournament_fee(*, tournament_id: int, paid_key: str) -> Posting:
    """Move one entry fee back to where it came from. Raises NOTHING_TO_REVERSE if it was not paid."""
    lines = build_lines_back([paid_key]).get(paid_key)
    if not lines:
        raise Refusal(NOTHING_TO_REVERSE, detail=paid_key)
    subject = _of_tournament(tournament_id)
    return post_transfers(key=refund_key(paid_key), lines=lines, subject=subject)


def refund_tournament_fees(*, tournament_id: int, currency: Currency, at_most: int) -> int:
    """Refund at most this many entry fees in one SQL statement. Return how many were refunded."""
    keys = list_fees_to_refund(chart.prize_pool(tournament_id, currency), at_most=at_most)
    by_key = build_lines_back(keys)
    post_each(
        keys=[refund_key(key) for key in keys],
        lines=[by_key[key] for key in keys],
        subject=_of_tournament(tournament_id),
    )
    return len(keys)


def settle_tournament(
    *,
    tournament_id: int,
    currency: Currency,
    prizes: Sequence[Prize],
    overlay: int,
    rake: int,
) -> None:
    """Move the house's addition (`overlay`), its `rake` and every prize in one event. Repeated calls move nothing.

    Cash prizes go to the winnings and may be withdrawn. A refusal is a bug: it is raised without a savepoint
    and ends the caller's transaction.
    """
    pool = chart.prize_pool(tournament_id, currency)
    lines = []
    if overlay:
        lines.append(PostingLine(chart.overlay(currency), pool, overlay, Reason.OVERLAY))
    if rake:
        lines.append(PostingLine(pool, chart.house(currency), rake, Reason.RAKE))
    lines += _prize_lines(pool, prizes)
    subject = _of_tournament(tournament_id)
    _post_settlement(key=f"{subject}:settle", lines=lines, subject=subject)


def pay_league_prizes(*, league_id: int, currency: Currency, prizes: Sequence[Prize]) -> None:
    """Move every prize of a league from the house in one event. Repeated calls move nothing.

    A refusal is a bug: it is raised without a savepoint and ends the caller's transaction.
    """
    lines = _prize_lines(chart.overlay(currency), prizes)
    subject = f"league:{league_id}"
    _post_settlement(key=f"{subject}:prizes", lines=lines, subject=subject)


def _prize_lines(source: chart.AccountRef, prizes: Sequence[Prize]) -> list[PostingLine]:
    return [
        PostingLine(source, _choose_purse(prize.user_id, source), prize.amount, Reason.PRIZE)
        for prize in prizes
        if prize.amount
    ]


def _choose_purse(user_id: int | None, pool: chart.AccountRef) -> chart.AccountRef:
    if user_id is None:
        return chart.mint(pool.currency, pool.owner_id)
    if pool.currency is Currency.INR:
        return chart.winnings(user_id)
    return chart.player(user_id, pool.currency)


def _of_tournament(tournament_id: int) -> str:
    return f"tournament:{tournament_id}"


def _post_settlement(*, key: str, lines: Sequence[PostingLine], subject: str) -> None:
    """Post without a savepoint: a refused settlement ends the caller's transaction."""
    if lines:
        with translate_refusals(savepoint=False):
            post_in_transaction(key=key, lines=lines, subject=subject)


# --- Apps above the wallet ---


def register_app(
    *,
    name: str,
    formats: Callable[[], Iterable[ChargedFormat]],
    checks: Path,
    subjects: Mapping[str, Names],
) -> None:
    """Register an app that plays for stakes. Call it in `AppConfig.ready`.

    `formats` returns the formats that fees are charged for, with titles in the reader's language. `checks` is
    a file with an SQL statement that every check of the ledger runs; its rows are (finding, subject).
    `subjects` maps a kind of subject ("table" in "table:7") to a function that returns names by number.
    """
    add_charged_formats(formats)
    add_checks(name=name, path=checks)
    for kind, names in subjects.items():
        add_names(kind, names)
