"""A site with data on every page: people, tables, a match, tournaments, money."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from accounts.api_tokens.own_programs import make_program, make_webhook
from accounts.api_tokens.services import make_token
from accounts.faces import FACES
from accounts.models import Scope, User
from accounts.sessions.proof import record_proof
from core.models import WebhookEvent
from core.webhooks.delivery import record_result
from history.models import Puzzle
from history.puzzles.making import make_starting_puzzles
from history.replay import share_match
from history.support.services import dispute_deal
from players.clubs.services import found_club, join
from tables.models import Club, JoinBy, Match, Table, TableTemplate
from tables.seating.supply import keep_supplied
from tests.points_tables import open_points_table
from tests.tables.driving import drop, get_match, make_cup, play_a_turn, start_match
from tests.tables.socket_client import session_of
from tests.tournaments.driving import begin, enter
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from tournaments.models import League, LeaguePlace, Tournament
from tournaments.running.tick import tick
from wallet import api as wallet
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.deposits.services import compute_payment_deadline, start_deposit
from wallet.payments.sandbox.provider import SandboxProvider
from wallet.rules import ReleaseTerms
from wallet.withdrawals.requesting import WithdrawalRequest, quote_withdrawal, request_withdrawal
from wallet.withdrawals.views import withdrawal_token

PASSWORD = "a-long-enough-word-4"


@dataclass(frozen=True)
class World:
    """The people of the site. `nila` has played, won, paid, and secured her account well; `ravi` is new."""

    nila: User
    ravi: User
    leela: User
    """She has nothing open and may close her account."""
    staff: User
    match: Match
    shared: str
    """The token of the link to `match`."""
    playing: Table
    """`nila` and `ravi` are in the middle of a deal."""
    waiting: Table
    registering: Tournament
    running: Tournament
    league: League
    """`nila` and `ravi` have a place in it."""
    club: Club
    """`nila` owns it, and `ravi` is a member."""
    withdrawal: str
    deposit: str
    review: str
    payment_page: str
    case: int
    """What `nila` asked the staff about her match."""
    program: str
    """`nila` has made it for others, and `webhook` for herself."""
    webhook: int


def make_world() -> World:
    cache.clear()
    wallet.set_starting_fees(valid_from=timezone.now())
    nila, ravi, staff = make_player("Nila", PASSWORD), make_player("Ravi"), make_staff("Boss")
    TableTemplate.objects.create(
        game="indian", preset="points", name="Mango Grove", max_seats=2, point_value=1
    )
    keep_supplied()
    match = play_a_match(nila, ravi)
    share_match(match_id=match.pk, user_id=nila.pk)
    playing = open_points_table("Banyan Court")
    start_match(playing, nila, ravi)
    # Another player takes part in it. Nila would be redirected to its table from every page.
    registering, running = make_tournaments(nila, make_player("Meera"))
    money = bring_money(nila, staff)
    case = dispute_deal(user_id=nila.pk, match_id=match.pk, number=1, text="घड़ी रुक गई थी।")
    guard_well(nila)
    make_starting_puzzles()
    return World(
        nila=nila,
        ravi=ravi,
        leela=make_player("Leela"),
        staff=staff,
        match=match,
        shared=match.links.get().token,
        playing=playing,
        waiting=Table.objects.get(name="Mango Grove", template__isnull=False),
        registering=registering,
        running=running,
        league=make_league(nila, ravi),
        club=make_club(nila, ravi),
        case=case.pk,
        **make_programs(nila),
        **money,
    )


def make_programs(maker: User) -> dict[str, Any]:
    scopes, address = ["read", "play"], "https://coach.example/back"
    terms = {"name": "Card Coach", "client_type": "confidential", "scopes": scopes}
    program, _secret = make_program(user_id=maker.pk, redirect_uris=address, **terms)
    events = [WebhookEvent.MATCH_ENDED]
    webhook = make_webhook(
        user_id=maker.pk, name="Board", url="https://board.example/", events=events
    )
    told = {"match": 7}
    record_result(events[0], lambda: told, people=[maker.pk], now=timezone.now())
    return {"program": program.pk, "webhook": webhook.pk}


def make_club(owner: User, member: User) -> Club:
    club = found_club(
        user_id=owner.pk, name="Neem Club", about="", icon="lotus", join_by=JoinBy.LINK
    )
    join(club_id=club.pk, user_id=member.pk, invite=club.invite_code)
    return club


def list_puzzles_of_kinds() -> list[int]:
    """Return the id of one puzzle of each kind."""
    puzzles = Puzzle.objects.order_by("game", "kind", "pk").distinct("game", "kind")
    return list(puzzles.values_list("pk", flat=True))


def make_player(name: str, password: str | None = None) -> User:
    # The face depends on the name, because ids differ from run to run and golden pictures show faces.
    face = list(FACES)[sum(map(ord, name)) % len(FACES)]
    user = User.objects.create_user(
        f"{name.lower()}@example.com", password, player_name=name, face=face
    )
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    wallet.grant_welcome_chips(user_id=user.pk)
    return user


def play_a_match(first: User, second: User) -> Match:
    """Play two turns and a drop, which end the match whatever the cards are."""
    table = open_points_table("Mango Grove")
    start_match(table, first, second)
    play_a_turn(table)
    play_a_turn(table)
    drop(table)
    return get_match(table)


def make_league(first: User, second: User) -> League:
    now = timezone.now()
    league = League.objects.create(
        name="Week of the Lotus",
        words={"te": {"name": "తామర వారం"}},
        game="indian",
        format="POINTS",
        pool=5_000,
        starts_at=now - timedelta(days=2),
        ends_at=now + timedelta(days=5),
        repeats=False,
        drawn_at=now,
    )
    for rank, player in enumerate((first, second), start=1):
        LeaguePlace.objects.create(
            league=league, user=player, points=40 // rank, matches=9, last_at=now, place=rank,
            rank=rank,
        )  # fmt: skip
    return league


def make_tournaments(waiting: User, playing: User) -> tuple[Tournament, Tournament]:
    terms = {"entry_fee": 100, "rake_bps": 1_000, "bots_to": 6}
    running, registering = (make_cup(minutes=minutes, **terms) for minutes in (20, 30))
    tick()
    enter(registering, waiting)
    enter(running, playing)
    return registering, begin(running)


def bring_money(player: User, staff: User) -> dict[str, Any]:
    set_rules()
    now = timezone.now()
    approve_identity(player, staff)
    bring_deposit(player, 100_000)
    bring_winnings(player, 300_000)
    terms = ReleaseTerms(10_000, 2, 2)
    until = now + timedelta(days=30)
    gift = BonusGift("g1", terms, until, "For patience.")
    grant_bonus(user_id=player.pk, gift=gift, staff_id=staff.pk)
    net = quote_withdrawal(user_id=player.pk, amount=100_000, now=now).taxed.net
    wanted = WithdrawalRequest("w1", 100_000, net, "nila@upi")
    request_withdrawal(user_id=player.pk, wanted=wanted, now=now)
    quote = quote_withdrawal(user_id=player.pk, amount=50_000, now=now)
    begun = start_deposit(user_id=player.pk, amount=20_000)
    page = SandboxProvider().payment_page(
        reference=begun.reference,
        amount=begun.amount,
        return_path="/wallet/",
        expires_at=compute_payment_deadline(begun),
    )
    return {
        "withdrawal": "w1",
        "deposit": begun.reference,
        "review": withdrawal_token(player.pk, {"amount": 50_000, "pay_to": "nila@upi"}, quote),
        "payment_page": urlsplit(page).path.removeprefix("/sandbox/pay/").rstrip("/"),
    }


def guard_well(user: User) -> None:
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    RecoveryCodes.activate(user)
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.WEBAUTHN, data={"name": "Phone", "credential": {}}
    )
    make_token(user_id=user.pk, name="Statistics", scopes=[Scope.READ])


def open_session(user: User) -> str:
    """Return the session of a user who has just confirmed their password, or a code instead of it."""
    key = session_of(user)
    request = HttpRequest()
    request.session, request.user = SessionStore(key), user
    record_authentication(request, user, method="password", reauthenticated=True)
    record_proof(request)
    request.session.save()
    return key


def sign_in(context: BrowserContext, site: str, user: User) -> None:
    context.add_cookies([cookie(site, "sessionid", open_session(user))])


def give_password(page: Page, user: User) -> None:
    """Fill in the sign-in form and send it."""
    page.locator("input[name=login]").fill(user.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()


def cookie(site: str, name: str, value: str) -> Any:
    return {"name": name, "value": value, "url": site}
