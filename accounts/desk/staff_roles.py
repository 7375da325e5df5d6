"""The permissions of the staff roles: one table, applied again after every migration.

A role is a Django group whose name is a value of `Role`. The table names every model of this project. A permission
that is granted to no role belongs to superusers only.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from django.apps import AppConfig


class Role(StrEnum):
    SUPPORT = "support"  # people: identity, reports, freezing, their requests
    FINANCE = "finance"  # money: withdrawals, fees, bonuses, the ledger
    GAMES = "games"  # play: templates, tournaments, matches
    SUPERUSER = "superuser"  # everything, other staff included


S, F, G = Role.SUPPORT, Role.FINANCE, Role.GAMES
ANYBODY = (S, F, G)
Grants = Mapping[str, Collection[Role]]
NOBODY: Grants = {}  # services write it; only the superuser role has a right to it
LOOKED_AT: Grants = {"view": ANYBODY}

# Model to its permissions ("view", "add", "change", "delete", or the codename of a custom permission), each
# with the roles that have it.
RIGHTS: Mapping[str, Grants] = {
    "accounts.user": {"view": ANYBODY, "freeze_user": (S, F), "end_sessions": (S,)},
    "core.auditentry": {"view": (F,)},
    "accounts.playernote": {"view": ANYBODY, "add": ANYBODY},
    "accounts.identitycheck": {"view": (S, F), "decide_identitycheck": (S, F)},
    "accounts.identitydocument": NOBODY,
    "accounts.pushsubscription": NOBODY,
    "accounts.pastsession": NOBODY,
    "accounts.apitoken": NOBODY,
    "accounts.apirequest": NOBODY,
    "accounts.oauthclient": NOBODY,
    "accounts.oauthgrant": NOBODY,
    "accounts.oauthaccesstoken": NOBODY,
    "accounts.oauthrefreshtoken": NOBODY,
    "accounts.oauthidtoken": NOBODY,
    "accounts.oauthdevice": NOBODY,
    "accounts.oauthsubject": NOBODY,
    "core.outgoingemail": NOBODY,
    "core.alert": LOOKED_AT,
    "core.backup": NOBODY,
    "core.lease": NOBODY,
    "core.setupnote": NOBODY,
    "core.webhook": NOBODY,
    "core.webhookdelivery": NOBODY,
    "core.sitenotice": {
        "view": ANYBODY,
        "add": (G,),
        "change": (G,),
        "delete": (G,),
    },
    "core.siteidentity": {"view": ANYBODY},
    "core.sitenumbers": {"view": ANYBODY},
    "core.pageversion": {
        "view": ANYBODY,
        "add": (S,),
        "change": (S,),
        "delete": (S,),
        "publish_pageversion": (),
    },
    "core.featureswitch": {"view": ANYBODY, "change": (G,)},
    "accounts.pageacceptance": NOBODY,
    "core.region": {"view": ANYBODY, "add": (F,), "change": (F,), "delete": (F,)},
    "accounts.residence": {"view": (S, F), "add": (S,)},
    "core.mailtext": {
        "view": ANYBODY,
        "add": (S,),
        "change": (S,),
        "delete": (S,),
        "write_secret_links": (),
    },
    "accounts.accountexport": NOBODY,
    "wallet.bonus": {"view": (S, F), "grant_bonus": (F,)},
    "wallet.campaign": {"view": (S, F), "add": (F,), "change": (F,)},
    "wallet.campaignuse": {"view": (S, F)},
    "wallet.deposit": {"view": (S, F)},
    "wallet.paymentwebhook": {"view": (S, F)},
    "wallet.paymentcase": {"view": (S, F)},
    "wallet.providerreport": {"view": (S, F)},
    "wallet.withdrawal": {"view": (S, F), "decide_withdrawal": (F,)},
    "wallet.payoutwebhook": {"view": (S, F)},
    "wallet.providerchoice": {"view": (F,), "add": (F,), "change": (F,), "delete": (F,)},
    "wallet.withdrawalpolicy": {
        "view": (F,),
        "add": (F,),
        "change": (F,),
        "delete": (F,),
        "lift_second_approval": (),
    },
    "wallet.taxrule": {"view": (F,), "add": (F,), "change": (F,), "delete": (F,)},
    "wallet.yearendtax": {"view": (F,)},
    "wallet.feeschedule": {"view": (F, G), "add": (F,), "change": (F,), "delete": (F,)},
    "wallet.depositlimit": {"view": (S, F)},
    "wallet.losslimit": {"view": (S, F)},
    "wallet.selfexclusion": {"view": (S, F)},
    "wallet.ledgeraccount": {"view": (F,)},
    "wallet.journal": {"view": (F,)},
    "wallet.transfer": {"view": (F,)},
    "wallet.entry": {"view": (F,)},
    "wallet.freechips": {"adjust_chips": (F,)},
    "wallet.hold": {"view": (F,)},
    "wallet.holdline": {"view": (F,)},
    "wallet.holdresolution": {"view": (F,)},
    "wallet.ledgercheck": {"view": (F,)},
    "wallet.ledgerseal": {"view": (F,)},
    "wallet.sealhorizon": NOBODY,
    "wallet.reportperiod": {"view": (F, G)},
    "wallet.reportfigure": NOBODY,
    "tables.tabletemplate": {"view": (F, G), "add": (G,), "change": (G,), "delete": (G,)},
    "tables.houserules": {"view": (F, G), "add": (G,), "change": (G,), "delete": (G,)},
    "tables.hostbounds": {"view": (F, G), "add": (G,), "change": (G,), "delete": (G,)},
    "tables.usualtable": NOBODY,
    "tables.table": {"view": ANYBODY, "close_table": (G,), "remove_player": (S, G)},
    "tables.seat": LOOKED_AT,
    "tables.match": {"view": ANYBODY, "cancel_match": (G,)},
    "history.matchcorrection": {"view": (S, F)},
    "tables.deal": {"view": (S, G)},
    "tables.change": {"view": (S, G)},
    "tables.report": {"view": (S, G), "change": (S, G)},
    "tables.sanction": {"view": (S, G), "decide_sanction": (S, G)},
    "history.supportcase": {"view": (S, G), "answer_supportcase": (S,)},
    "history.supportmessage": NOBODY,
    "tables.chatline": {"view": (S,)},
    "tables.pairevidence": {"view": (S, G), "decide_pairevidence": (S, G)},
    "history.pairnight": NOBODY,
    "history.matchtrace": NOBODY,
    "history.sittingkey": NOBODY,
    "tables.chipspassed": NOBODY,
    "history.sittingtrace": NOBODY,
    "tables.queueplace": NOBODY,
    "tables.ignoredplayer": NOBODY,
    "tables.club": {"view": (S, G), "decide_club": (S,)},
    "tables.clubmember": NOBODY,
    "tables.follow": NOBODY,
    "tables.block": NOBODY,
    "tables.tableinvitation": NOBODY,
    "tables.clockbeat": NOBODY,
    "tables.clockoutage": NOBODY,
    "tables.tablefault": {"view": (G,)},
    "tables.playerrating": NOBODY,
    "players.ratingchange": NOBODY,
    "players.daytotal": NOBODY,
    "players.achievementmatch": NOBODY,
    "players.playerachievement": NOBODY,
    "players.goalday": NOBODY,
    "players.lastvisit": NOBODY,
    "players.rankseason": NOBODY,
    "players.seasonrank": NOBODY,
    "players.leaderboardplace": NOBODY,
    "history.matcharchive": NOBODY,
    "history.matchlink": NOBODY,
    "history.seatanalysis": NOBODY,
    "history.puzzle": {"view": (S, G), "retire_puzzle": (G,)},
    "history.puzzleanswer": NOBODY,
    "history.puzzlerating": NOBODY,
    "history.puzzlerush": NOBODY,
    "history.puzzlesearch": NOBODY,
    "tournaments.tournamenttemplate": {
        "view": (F, G),
        "add": (G,),
        "change": (G,),
        "delete": (G,),
    },
    "tournaments.tournament": {"view": ANYBODY, "add": (G,), "change": (G,)},
    "tournaments.entrant": LOOKED_AT,
    "tournaments.ticket": LOOKED_AT,
    "tournaments.league": {"view": ANYBODY, "add": (G,), "change": (G,)},
    "tournaments.leagueplace": LOOKED_AT,
    "tournaments.round": NOBODY,
    "tournaments.roundtable": NOBODY,
    "tournaments.roundseat": NOBODY,
}
_OF_EVERY_MODEL = ("view", "add", "change", "delete")


def list_role_permissions(role: Role, app_label: str) -> set[tuple[str, str]]:
    """Return (model, codename) for each permission that a role has in an app. Do not call it for the superuser role."""
    granted = set()
    for model_label, grants in RIGHTS.items():
        app, model = model_label.split(".")
        if app != app_label:
            continue
        for act, roles in grants.items():
            if role in roles:
                granted.add((model, f"{act}_{model}" if act in _OF_EVERY_MODEL else act))
    return granted


def grant_roles(app_config: AppConfig, using: str, **_signal: Any) -> None:
    """Give the groups exactly the permissions that the table lists for this app.

    A receiver of `post_migrate`, connected so that it runs after Django has created the permissions.
    """
    # Import after the models are loaded.
    from django.contrib.auth.models import Group, Permission  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    if "auth_group" not in connections[using].introspection.table_names():
        return  # a migration to a time before there were any
    of_app = Permission.objects.using(using).filter(content_type__app_label=app_config.label)
    ids = {
        (model, codename): pk
        for pk, model, codename in of_app.values_list("pk", "content_type__model", "codename")
    }
    if not ids:
        return
    for group in Group.objects.using(using).filter(name__in=list(Role)):
        if group.name == Role.SUPERUSER:
            wanted = set(ids.values())
        else:
            granted = list_role_permissions(Role(group.name), app_config.label)
            wanted = {ids[right] for right in granted if right in ids}
        held = set(group.permissions.filter(pk__in=ids.values()).values_list("pk", flat=True))
        group.permissions.remove(*(held - wanted))
        group.permissions.add(*(wanted - held))
