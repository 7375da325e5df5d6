"""Add rows to every list, for tests that count the queries of a page.

Most rows belong to `nila` or to objects that she views, so that the pages of single objects grow as well as lists.
"""

import time
from datetime import date, timedelta

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.api_tokens.services import make_token
from accounts.models import OAuthClient, OAuthGrant, Residence, Scope, User
from accounts.models.users import PlayerNote
from core.models import (
    FeatureSwitch,
    MailText,
    PageVersion,
    Region,
    SiteIdentity,
    SiteNumbers,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from core.models.audit import AuditEntry
from core.models.running import Alert
from core.models.site import SiteNotice
from core.site.content import site
from core.webhooks.delivery import record_result
from games.registry import GAMES
from history.models import CaseTopic, MatchCorrection, Puzzle, SupportMessage
from history.puzzles.answering import answer_puzzle
from history.support.services import open_case
from players.models import DayTotal, LeaderboardPlace, RankSeason
from tables.models import (
    Block,
    ChatLine,
    Club,
    ClubMember,
    ClubRole,
    Doing,
    Follow,
    HostBounds,
    HouseRules,
    IgnoredPlayer,
    PairEvidence,
    QueuePlace,
    Report,
    Sanction,
    TableFault,
    TableInvitation,
    UsualTable,
)
from tables.seating.sitting import leave_table
from tests.accounts.staff import office
from tests.e2e.world import World, make_player
from tests.given import require
from tests.points_tables import open_points_table
from tests.tables.driving import (
    befriend,
    drop,
    get_match,
    make_cup,
    make_kind,
    play_a_turn,
    rate,
    seat_all,
    start_match,
)
from tests.wallet.cash_players import approve_identity, bring_deposit, bring_winnings
from tests.wallet.withdrawals.asking import ask
from tournaments.models import League, LeaguePlace, Ticket, Tournament
from tournaments.registration.services import register
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.ledger.checks import check_ledger, seal_ledger
from wallet.limits.services import exclude_oneself, set_deposit_limit, set_loss_limit
from wallet.models import (
    Campaign,
    CampaignUse,
    FeeSchedule,
    LedgerSeal,
    LimitPeriod,
    ProviderChoice,
    TaxRule,
    WithdrawalPolicy,
    YearEndTax,
)
from wallet.payments import base
from wallet.payments.cases import take_report
from wallet.rules import ReleaseTerms

PATIENCE_SECONDS = 30


def add_rows(world: World, n: int) -> None:
    site()  # cache the data of every page before it grows
    player = make_player(f"Player{n}")
    _site(world, n)
    _person(world, player, n)
    _money(world, player, n)
    _rules(player, n)
    _tables(world, player, n)
    _matches(world)
    _standings(player, n)
    _puzzles(player)
    _fair_play(player)
    _tournaments(world, player, n)


def _site(world: World, n: int) -> None:
    SiteIdentity.objects.get_or_create(defaults={"name": "OpenRummy", "short_name": "OpenRummy"})
    SiteNumbers.objects.get_or_create()
    PageVersion.objects.create(
        kind="privacy",
        number=n,
        text=f"# Version {n}",
        asks_again=False,
        published_at=timezone.now(),
        published_by=world.staff,
    )
    MailText.objects.create(kind=f"mail{n}", language="en", subject="Well", text="Well.")
    FeatureSwitch.objects.create(feature=f"part{n}")
    region = Region.objects.create(code=f"IN-{n}", name=f"Region {n}")
    Residence.objects.create(user=world.nila, region=region)
    given = grant_bonus(user_id=make_player(f"Coder{n}").pk, gift=_gift(f"c{n}+"))
    campaign = Campaign.objects.create(
        code=f"GIFT{n}",
        name="Gift",
        amount=1_000,
        valid_until=timezone.now() + timedelta(days=1),
        most_uses=9,
    )
    CampaignUse.objects.create(
        campaign=campaign, user_id=given.user_id, bonus=given, inviter=world.nila
    )
    ProviderChoice.objects.create(provider="sandbox", valid_from=timezone.now() - timedelta(days=n))


def _gift(reference: str) -> BonusGift:
    until = timezone.now() + timedelta(days=30)
    return BonusGift(reference, ReleaseTerms(1_000, 2, 2), until, "Well.")


def _person(world: World, player: User, n: int) -> None:
    approve_identity(player, world.staff)
    PlayerNote.objects.create(user=world.nila, staff=world.staff, text=f"Note {n}")
    Group.objects.get_or_create(name=f"Role {n}")
    Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={})
    make_token(user_id=world.nila.pk, name=f"Token {n}", scopes=[Scope.READ])
    program = OAuthClient.objects.create(
        name=f"Program {n}",
        owner=world.nila,
        redirect_uris=f"https://p{n}.example/",
        scopes=["read"],
    )
    now = timezone.now()
    OAuthGrant.objects.create(
        code=f"code {n}",
        application=program,
        user=world.nila,
        scope="read",
        exchanged_at=now,
        expires=now + timedelta(days=9),
    )
    AuditEntry.objects.create(
        staff=world.staff,
        staff_name="Boss",
        action="change",
        object_type="accounts.user",
        object_id=str(world.nila.pk),
        object_name="Nila",
        before={"player_name": "Nilu"},
        after={"player_name": "Nila"},
    )
    SiteNotice.objects.create(text=f"Notice {n}", shown_from=timezone.now() + timedelta(days=9))
    Alert.objects.create(
        code=f"Clock {n}", value="stopped", began_at=timezone.now(), checked_at=timezone.now()
    )
    Webhook.objects.create(
        name=f"Board {n}", url="https://board.example/", events=[WebhookEvent.TOURNAMENT_ENDED]
    )
    own = Webhook.objects.create(
        owner=world.nila, name=f"Own {n}", url="https://own.example/", events=["match.ended"]
    )
    WebhookDelivery.objects.create(
        webhook_id=world.webhook, event="match.ended", body="{}", made_at=own.made_at
    )
    told = {"number": n}
    record_result(WebhookEvent.TOURNAMENT_ENDED, lambda: told, people=[], now=timezone.now())
    for person in (player, world.nila):
        assert office(person).get("/rules/").status_code == 200
    open_case(user_id=player.pk, topic=CaseTopic.OTHER, text=f"Question {n}")
    SupportMessage.objects.create(
        case_id=world.case, author=world.staff, is_answer=True, text=f"Answer {n}"
    )


def _money(world: World, player: User, n: int) -> None:
    for person in (player, world.nila):
        bring_deposit(person, 10_000, key=f"brought{n}")
        bring_winnings(person, 20_000, key=f"won{n}")
    grant_bonus(user_id=world.nila.pk, gift=_gift(f"g{n}+"), staff_id=world.staff.pk)
    ask(world.nila, 10_000, reference=f"w{n}+")
    set_deposit_limit(user_id=world.nila.pk, period=LimitPeriod.DAY, amount=10**7 - n)
    set_loss_limit(user_id=world.nila.pk, period=LimitPeriod.DAY, amount=10**7 - n)
    exclude_oneself(user_id=make_player(f"Away{n}").pk, until=None)
    take_report(
        base.SignedReport(
            "sandbox", f"dispute{n}", "payment.dispute.created", base.Concern.DISPUTE, base.ReportStage.OPEN,
            subject_id=f"disp_{n}", payment_id=f"pay_{n}", amount=100,
        )
    )  # fmt: skip
    MatchCorrection.objects.create(
        match=world.match,
        payer=world.nila,
        payee=player,
        amount=100,
        reason=f"Counted {n}",
        proposed_by=world.staff,
    )
    _seal(n)
    check_ledger()


def _seal(n: int) -> None:
    """Seal the ledger until there are `n` seals. No seal is made while any other transaction is open."""
    until = time.monotonic() + PATIENCE_SECONDS
    while LedgerSeal.objects.count() < n:
        assert time.monotonic() < until, "the ledger cannot be sealed"
        if not seal_ledger():
            time.sleep(0.02)


def _rules(player: User, n: int) -> None:
    long_ago = timezone.now() - timedelta(days=1_000 + n)
    rule = TaxRule.objects.create(
        code="OLD", rate_bps=100, valid_from=date(2000, 1, 1) + timedelta(days=n)
    )
    WithdrawalPolicy.objects.create(
        least=1, most_a_day=10, second_approval_above=1, valid_from=long_ago
    )
    FeeSchedule.objects.create(
        game="indian",
        format="POINTS",
        stake_from=0,
        rake_bps=1,
        valid_from=long_ago,
        valid_until=long_ago + timedelta(hours=1),
    )
    YearEndTax.objects.create(
        user=player, year=2020, withdrawn=0, deposited=0, opening=0, closing=0, taxed=0,
        net_winnings=0, tax=0, rule=rule, state="NOTHING",
    )  # fmt: skip


def _tables(world: World, player: User, n: int) -> None:
    HostBounds.objects.get_or_create(game=list(GAMES)[n % len(GAMES)])
    rules = HouseRules.objects.create(
        name=f"Rules {n}", game="indian", preset="points", changes={"max_points": 60 + n}
    )
    template = make_kind(name=f"Kind {n}", house_rules=rules)
    table = open_points_table(f"Room {n}", template_id=template.pk)
    seat_all(table, player, make_player(f"Guest{n}"))
    QueuePlace.objects.create(table=world.waiting, user=player)
    ChatLine.objects.create(table=world.playing, user=world.ravi, text=f"Line {n}")
    ChatLine.objects.create(club=world.club, user=world.ravi, text=f"Line {n}")
    ClubMember.objects.create(club=world.club, user=player, role=ClubRole.MEMBER)
    Club.objects.create(
        name=f"Club {n}", name_skeleton=f"club {n}", founder=world.nila, invite_code=f"club{n}"
    )
    IgnoredPlayer.objects.create(user=world.nila, ignored=player)
    UsualTable.objects.create(user=player, game="indian", choices={"rules": "points"})
    befriend(world.nila, player)
    Follow.objects.create(user=world.nila, followed=make_player(f"Known{n}"))
    Block.objects.create(user=world.nila, blocked=make_player(f"Apart{n}"))
    TableInvitation.objects.create(table=world.playing, sender=player, invited=world.nila)
    Report.objects.create(reporter=player, reported=world.nila, table=world.playing, reason="OTHER")
    for kind in Sanction.Kind:
        Sanction.objects.create(user=player, kind=kind, reason="ABUSE", decided_by=world.staff)
        Sanction.objects.create(user=world.nila, kind=kind, reason="OTHER", decided_by=world.staff)
    broken = open_points_table(f"Broken {n}")
    TableFault.objects.create(table=broken, doing=Doing.MOVE, error="no", traceback="no")


def _matches(world: World) -> None:
    """Play one more match between two players, who then leave the table."""
    table = open_points_table(is_rated=True)
    start_match(table, world.nila, world.ravi)
    play_a_turn(table)
    drop(table)
    for player in (world.nila, world.ravi):
        leave_table(table_id=table.pk, user_id=player.pk)
    assert get_match(table).ended_at is not None


def _puzzles(player: User) -> None:
    puzzle = Puzzle.objects.filter(kind="drop").earliest("pk")
    puzzle.pk, puzzle.daily_on = None, None
    puzzle.save(force_insert=True)
    answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer="drop")


def _fair_play(player: User) -> None:
    low, high = sorted([player.pk, make_player(f"Other{player.pk}").pk])
    PairEvidence.objects.create(
        low_id=low, high_id=high, matches=20, q=0.004, money={"CHIPS": [10, 0]},
        kinds={"feeding": {"screen_p": 0.01, "screen_matches": 9, "q": 0.004, "p": 0.0001, "z": 3.7,
                           "matches": 12, "giver": None}},
    )  # fmt: skip


def _standings(player: User, n: int) -> None:
    rate(player, 1600 - n, 60, matches=9)
    DayTotal.objects.create(
        game="indian", user=player, format="POINTS", day=timezone.localdate(), chips=n
    )
    now = timezone.now()
    season, _made = RankSeason.objects.get_or_create(
        closed_at=None, defaults={"begins_at": now, "ends_at": now + timedelta(days=60)}
    )
    season.ranks.create(user=player, game="indian", format="POINTS", value=1600 - n, matches=9)
    for board in ("RATING", "CHIPS"):
        LeaderboardPlace.objects.create(game="indian",
            board=board, format="POINTS", period="WEEK", place=n, user=player, value=n,
            matches=9, drawn_at=timezone.now(),
        )  # fmt: skip


def _tournaments(world: World, player: User, n: int) -> None:
    now = timezone.now()
    league = League.objects.create(
        name=f"League {n}", game="indian", format="POINTS", pool=1_000, starts_at=now,
        ends_at=now + timedelta(days=7), repeats=False,
    )  # fmt: skip
    for one in (league, world.league):
        LeaguePlace.objects.create(
            league=one, user=player, points=1, matches=1, last_at=now, place=n + 2, rank=n + 2
        )
    cup = make_cup(minutes=40, name=f"Cup {n}", entry_fee=100)
    Tournament.objects.filter(pk=cup.pk).update(status="REGISTERING")
    for tournament, person in ((cup, world.nila), (cup, player), (world.registering, player)):
        register(tournament_id=tournament.pk, user_id=person.pk, now=now)
    Ticket.objects.create(
        user=world.nila, template=require(cup.template), won_in=cup, price=100, currency="CHIPS"
    )
