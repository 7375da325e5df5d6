"""Exports everything that is stored about a person as one JSON file, with the reason for each omission."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model

from accounts.models import (
    ApiToken,
    IdentityCheck,
    IdentityDocument,
    OAuthClient,
    OAuthGrant,
    PageAcceptance,
    PastSession,
    Residence,
    User,
)
from accounts.models.sessions import PushSubscription
from accounts.people.preferences import get_preferences
from core import private_files
from core.models import Webhook
from history.models import (
    MatchCorrection,
    MatchLink,
    PuzzleAnswer,
    PuzzleRating,
    PuzzleRush,
    SeatAnalysis,
    SupportCase,
    SupportMessage,
)
from history.selectors import find_seat, list_ended_deals
from players.models import DayTotal, GoalDay, LastVisit, PlayerAchievement, RatingChange, SeasonRank
from tables.models import (
    Block,
    ChatLine,
    Club,
    ClubMember,
    Follow,
    IgnoredPlayer,
    Match,
    PlayerRating,
    QueuePlace,
    Report,
    Sanction,
    Seat,
    Table,
    TableInvitation,
    UsualTable,
)
from tournaments.models import Entrant, LeaguePlace, Ticket, Tournament
from wallet.models import (
    AccountKind,
    Bonus,
    CampaignUse,
    Deposit,
    DepositLimit,
    Entry,
    LedgerAccount,
    LossLimit,
    SelfExclusion,
    Withdrawal,
    YearEndTax,
)

FORMAT = "openrummy-account-1"
_ROWS_AT_ONCE = 2_000

Rows = Iterator[Mapping[str, Any]]
# Name in the file to its model, the field that refers to the person, and the exported fields.
SECTIONS: Mapping[str, tuple[type[Model], str, Sequence[str]]] = {
    "email_addresses": (EmailAddress, "user", ("email", "verified", "primary")),
    "second_factors": (Authenticator, "user", ("type", "created_at", "last_used_at")),
    "other_sign_ins": (SocialAccount, "user", ("provider", "uid", "last_login", "extra_data")),
    "sessions": (UserSession, "user", ("created_at", "last_seen_at", "ip", "user_agent")),
    "past_sessions": (PastSession, "user", ("created_at", "last_seen_at", "ip", "user_agent")),
    "accepted_pages": (
        PageAcceptance,
        "user",
        ("version__kind", "version__number", "accepted_at"),
    ),
    "api_tokens": (
        ApiToken,
        "user",
        ("name", "scopes", "created_at", "last_used_at", "expires_at"),
    ),
    "programs_of_others": (
        OAuthGrant,
        "user",
        ("application__name", "scope", "created", "expires"),
    ),
    "own_programs": (
        OAuthClient,
        "owner",
        ("client_id", "name", "client_type", "redirect_uris", "origins", "scopes", "created"),
    ),
    "webhooks": (Webhook, "owner", ("name", "url", "events", "is_active", "made_at")),
    "messages_to_browsers": (
        PushSubscription,
        "user",
        ("device", "created_at", "last_used_at"),
    ),
    "identity_checks": (
        IdentityCheck,
        "user",
        (
            "full_name",
            "born_on",
            "document_kind",
            "document_number",
            "state",
            "reason",
            "submitted_at",
            "decided_at",
        ),
    ),
    "residences": (Residence, "user", ("region__code", "stated_at")),
    "deposits": (
        Deposit,
        "user",
        (
            "reference",
            "amount",
            "provider",
            "payment_id",
            "state",
            "refused_for",
            "refund_id",
            "started_at",
            "decided_at",
        ),
    ),
    "withdrawals": (
        Withdrawal,
        "user",
        (
            "reference",
            "amount",
            "net_winnings",
            "tax",
            "net",
            "pay_to",
            "provider",
            "payout_id",
            "state",
            "reason",
            "requested_at",
            "ended_at",
        ),
    ),
    "tax_of_years": (
        YearEndTax,
        "user",
        ("year", "withdrawn", "deposited", "opening", "closing", "net_winnings", "tax", "state"),
    ),
    "bonuses": (
        Bonus,
        "user",
        ("amount", "released", "reason", "state", "granted_at", "expires_at", "ended_at"),
    ),
    "codes_used": (CampaignUse, "user", ("campaign__code", "used_at")),
    "deposit_limits": (DepositLimit, "user", ("period", "amount", "effective_from")),
    "loss_limits": (LossLimit, "user", ("period", "amount", "effective_from")),
    "self_exclusions": (SelfExclusion, "user", ("began_at", "until")),
    "seats": (Seat, "user", ("table_id", "number", "status", "joined_at", "left_at")),
    "private_tables": (Table, "opened_by", ("id", "name", "created_at", "closed_at")),
    "private_tournaments": (Tournament, "opened_by", ("id", "name", "created_at", "status")),
    "waiting_for_tables": (QueuePlace, "user", ("table_id", "joined_at")),
    "chat": (ChatLine, "user", ("table_id", "club__name", "phrase", "text", "said_at")),
    "sanctions": (
        Sanction,
        "user",
        ("kind", "reason", "words", "decided_at", "ends_at", "lifted_at"),
    ),
    "clubs": (ClubMember, "user", ("club__name", "role", "since", "is_told")),
    "clubs_founded": (Club, "founder", ("name", "created_at", "closed_at")),
    "ignored_players": (IgnoredPlayer, "user", ("ignored__player_name",)),
    "followed_players": (Follow, "user", ("followed__player_name", "since")),
    "blocked_players": (Block, "user", ("blocked__player_name", "since")),
    "invitations_sent": (
        TableInvitation,
        "sender",
        ("table_id", "invited__player_name", "sent_at"),
    ),
    "usual_private_tables": (UsualTable, "user", ("game", "choices", "chosen_at")),
    "reports_made": (
        Report,
        "reporter",
        (
            "reported__player_name",
            "table_id",
            "club__name",
            "reason",
            "words",
            "created_at",
            "status",
        ),
    ),
    "ratings": (PlayerRating, "user", ("format", "value", "deviation", "matches", "rated_at")),
    "rating_changes": (RatingChange, "user", ("match_id", "format", "value_before", "value")),
    "season_ranks": (
        SeasonRank,
        "user",
        ("season__begins_at", "game", "format", "value", "matches"),
    ),
    "days": (DayTotal, "user", ("format", "day", "chips", "matches", "rated_matches")),
    "achievements": (PlayerAchievement, "user", ("code", "count", "tier", "reached_at")),
    "goals": (GoalDay, "user", ("day", "codes")),
    "last_visit": (LastVisit, "user", ("seen_at",)),
    "links_to_matches": (MatchLink, "made_by", ("match_id", "made_at")),
    "analyses_of_deals": (
        SeatAnalysis,
        "user",
        ("match_id", "deal", "state", "asked_at", "decisions", "lost", "by_kind", "report"),
    ),
    "answers_to_puzzles": (
        PuzzleAnswer,
        "user",
        ("puzzle_id", "answer", "is_right", "loss", "answered_at", "value_before", "value"),
    ),
    "ratings_by_puzzles": (
        PuzzleRating,
        "user",
        ("game", "value", "deviation", "answers", "right", "rated_at"),
    ),
    "puzzle_rushes": (PuzzleRush, "user", ("game", "began_at", "right", "wrong")),
    "corrections_paid": (
        MatchCorrection,
        "payer",
        ("match_id", "amount", "by_house", "reason", "state", "decided_at"),
    ),
    "corrections_received": (
        MatchCorrection,
        "payee",
        ("match_id", "amount", "reason", "state", "decided_at"),
    ),
    "requests_to_staff": (SupportCase, "user", ("id", "topic", "state", "opened_at")),
    "messages_to_staff": (SupportMessage, "author", ("case_id", "text", "written_at")),
    "tournaments": (
        Entrant,
        "user",
        ("tournament__name", "state", "entered_at", "payments", "place", "prize"),
    ),
    "leagues": (
        LeaguePlace,
        "user",
        ("league__name", "points", "matches", "rank", "prize", "disqualified_at"),
    ),
    "tournament_tickets": (
        Ticket,
        "user",
        ("template__name", "price", "currency", "won_at", "used_at"),
    ),
}
# All other fields of models that refer to a person.
LEFT_OUT = {
    "admin.LogEntry.user": "what staff did in the administration",
    "core.AuditEntry.staff": "what staff did in the administration",
    "accounts.PlayerNote.user": "words of the staff among themselves",
    "accounts.PlayerNote.staff": "words of the staff among themselves",
    "accounts.IdentityCheck.decided_by": "about somebody else",
    "accounts.ApiRequest.user": "answers that are told as what they moved",
    "accounts.OAuthAccessToken.user": "told as the program's grant",
    "accounts.OAuthRefreshToken.user": "told as the program's grant",
    "accounts.OAuthIDToken.user": "told as the program's grant",
    "accounts.OAuthSubject.user": "a number that tells nothing",
    "core.OutgoingEmail.user": "on its way to the person",
    "accounts.AccountExport.user": "this file",
    "accounts.Residence.stated_by": "about somebody else",
    "core.PageVersion.published_by": "what staff did in the administration",
    "wallet.CampaignUse.inviter": "about somebody else",
    "wallet.Bonus.granted_by": "about somebody else",
    "wallet.Withdrawal.approved_by": "about somebody else",
    "wallet.Withdrawal.second_approved_by": "about somebody else",
    "wallet.Withdrawal.ended_by": "about somebody else",
    "history.MatchCorrection.proposed_by": "about somebody else",
    "history.MatchCorrection.decided_by": "about somebody else",
    "players.AchievementMatch.user": "told as the achievements that these matches reach",
    "tables.IgnoredPlayer.ignored": "about somebody else",
    "tables.Follow.followed": "about somebody else",
    "tables.Block.blocked": "who blocks stays unknown to the reported player",
    "tables.TableInvitation.invited": "about somebody else",
    "tables.Table.host": "whom the host of a table has made host; the seats are told",
    "tables.Report.reported": "who reports stays unknown to the reported player",
    "tables.Report.handled_by": "about somebody else",
    "tables.Sanction.decided_by": "about somebody else",
    "tables.Sanction.lifted_by": "about somebody else",
    "tables.TableFault.resolved_by": "what staff did in the administration",
    "tables.ChipsPassed.low": "about somebody else too; the matches are told",
    "tables.ChipsPassed.high": "about somebody else too; the matches are told",
    "history.MatchTrace.giver": "figures out of the matches, which are in the file",
    "history.MatchTrace.taker": "figures out of the matches, which are in the file",
    "history.SittingTrace.user": "hashes of the addresses and devices of the sessions",
    "tables.PairEvidence.low": "about somebody else too",
    "tables.PairEvidence.high": "about somebody else too",
    "tables.PairEvidence.decided_by": "what staff did in the administration",
    "players.LeaderboardPlace.user": "recomputed regularly from the days",
}
_OF_PERSON = (AccountKind.PLAYER, AccountKind.WINNINGS, AccountKind.BONUS)


def export_account_data(user_id: int) -> bytes:
    """Return the content of a player's export file. Amounts are in the smallest unit: paise and whole chips."""
    user = User.objects.get(pk=user_id)
    data: dict[str, Any] = {
        "format": FORMAT,
        "account": {
            "number": user.pk,
            "email": user.own_email,
            "player_name": user.player_name,
            "face": user.shown_face,
            "language": user.language,
            "told_when_absent": user.absence_notice,
            "preferences": get_preferences(user),
            "page_shown_to": user.page_shown_to,
            "online_shown_to": user.online_shown_to,
            "adult_confirmed_at": user.adult_confirmed_at,
            "joined": user.date_joined,
            "last_sign_in": user.last_login,
            "frozen_at": user.frozen_at,
        },
    }
    for name, (model, field, told) in SECTIONS.items():
        data[name] = list(_list_rows(model, field, user_id, told))
    data["identity_documents"] = list(_list_documents(user_id))
    data["ledger"] = {account: list(entries) for account, entries in _list_entries(user_id)}
    data["matches"] = list(_list_matches(user_id))
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1).encode()


def _list_rows(model: type[Model], field: str, user_id: int, told: Sequence[str]) -> Rows:
    rows = model._base_manager.filter(**{field: user_id}).order_by("pk")  # noqa: SLF001 - of any model
    if model is SupportMessage:
        rows = rows.filter(is_answer=False)
    yield from rows.values(*told).iterator(chunk_size=_ROWS_AT_ONCE)


def _list_documents(user_id: int) -> Rows:
    for document in IdentityDocument.objects.filter(identity_check__user_id=user_id).order_by("pk"):
        try:
            content = private_files.read(document.stored_as)
        except FileNotFoundError:
            continue
        yield {
            "side": document.side,
            "content_type": document.content_type,
            "content_base64": base64.b64encode(content).decode(),
        }


def _list_entries(user_id: int) -> Iterator[tuple[str, Rows]]:
    accounts = LedgerAccount.objects.filter(kind__in=_OF_PERSON, owner_id=user_id)
    for account in accounts.order_by("pk"):
        entries = Entry.objects.filter(account_id=account.pk).order_by("seq")
        told = ("seq", "happened_at", "amount", "balance_after")
        rows = entries.values(*told, "transfer__reason", "transfer__journal__key")
        yield f"{account.kind} {account.currency}", rows.iterator(chunk_size=_ROWS_AT_ONCE)


def _list_matches(user_id: int) -> Rows:
    """Yield the player's matches, with the addresses of the deals' records, which contain every card and move."""
    matches = Match.objects.filter(participants__contains=[user_id]).select_related("table")
    for match in matches.defer("table__state", "table__next_seed").order_by("pk"):
        yield {
            "number": match.pk,
            "table": match.table.name,
            "started_at": match.started_at,
            "ended_at": match.ended_at,
            "status": match.status,
            "seat": str(find_seat(match, user_id)),
            "result": match.result,
            "settlement": match.settlement,
            "records": [
                f"/matches/{match.pk}/deals/{number}.json"
                for number in sorted(list_ended_deals(match))
            ],
        }
