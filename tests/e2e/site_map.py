"""Every page of the site by its URL name, and the URLs that are no page, each with the reason.

`tests/e2e/test_every_page.py` compares both lists with the URL configuration. A new page is therefore visited by
every suite that walks through the site, or the suite fails.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from django.utils.translation import get_language

from accounts.people.mail_stop import make_stop_token
from core.models import PageVersion
from core.site.content import site
from tables.learning.views import GUIDE_TOPICS
from tables.models import Table
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import rename_table
from tests.e2e.world import World, list_puzzles_of_kinds

NOBODY, NILA, RAVI, LEELA, STAFF = "nobody", "nila", "ravi", "leela", "staff"
API_PAGE, SWAGGER = "api-docs", "api-swagger"
Arguments = Callable[[World], list[Any]]
PLACEHOLDER = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Place:
    """A page as a certain user, or a visitor, sees it."""

    name: str
    who: str
    path: str
    status: int = 200

    def __str__(self) -> str:
        return f"{self.name} as {self.who}"


def _list_none(_world: World) -> list[Any]:
    return []


def _deal(world: World) -> list[Any]:
    return [world.match.pk, 1]


def _list_shared_deal(world: World) -> list[Any]:
    return [world.shared, 1]


def _page_that_binds(world: World, kind: str) -> list[Any]:
    """Publish the page without the usual effects: users need not accept it, and no footer links to it."""
    site()
    PageVersion.objects.get_or_create(
        kind=kind,
        number=1,
        defaults={
            "text": "# Who we are",
            "words": {"te": {"text": "# మేము ఎవరం"}},
            "asks_again": False,
            "published_at": timezone.now(),
            "published_by": world.staff,
        },
    )
    return [kind]


def _club(world: World) -> list[Any]:
    """Return the club of `nila`, in which `ravi` is a member."""
    return [world.club.pk]


def _hosted(world: World) -> list[Any]:
    """Return a table whose host `staff` waits for friends. The others already sit at the most tables allowed."""
    opened = Table.objects.filter(opened_by=world.staff, max_seats=6).first()
    if opened is None:
        terms = HostTerms(game="indian", preset="pool101", seats=6)
        opened = open_hosted_table(terms, user_id=world.staff.pk)
        rename_table(table_id=opened.pk, user_id=world.staff.pk, name="Banyan Court")
    return [opened.pk]


def _terms(world: World) -> list[Any]:
    _page_that_binds(world, "terms")
    return []


def _make_address(world: World) -> list[Any]:
    address, _made = EmailAddress.objects.get_or_create(user=world.staff, email="new@example.com")
    return [EmailConfirmationHMAC.create(address).key]


def _reset(world: World) -> list[Any]:
    return [user_pk_to_url_str(world.ravi), default_token_generator.make_token(world.ravi)]


# Each page with the users for whom its main part differs. Header and footer are on every page.
PAGES: dict[str, tuple[Arguments, tuple[str, ...]]] = {
    "lobby": (_list_none, (NOBODY, NILA)),
    "all_tables": (_list_none, (NOBODY, NILA)),
    "watch_tables": (_list_none, (NOBODY,)),
    "tables:host": (lambda _world: ["indian"], (NILA,)),
    "tables:change_rules": (_hosted, (STAFF,)),
    "accounts:stop_mails": (lambda world: [make_stop_token(world.nila.pk)], (NOBODY,)),
    "tables:welcome": (_hosted, (STAFF,)),
    "rules": (_list_none, (NOBODY,)),
    "learn": (_list_none, (NOBODY,)),
    API_PAGE: (_list_none, (NOBODY,)),
    "documents": (_list_none, (NOBODY,)),
    "open_data": (_list_none, (NOBODY,)),
    "support": (_list_none, (NOBODY, NILA)),
    "site_page": (lambda world: _page_that_binds(world, "imprint"), (NOBODY,)),
    "site_page_version": (lambda world: [*_page_that_binds(world, "imprint"), 1], (NOBODY,)),
    "accept_terms": (_terms, (NILA,)),
    "support_deal": (_deal, (NILA,)),
    "report_person": (lambda world: [world.ravi.pk], (NILA,)),
    "report_in_match": (lambda world: [world.match.pk], (NILA,)),
    "support_case": (lambda world: [world.case], (NILA,)),
    "leaderboards": (_list_none, (NOBODY, NILA)),
    "season_ranks": (_list_none, (NOBODY, NILA)),
    "bot_ladder": (_list_none, (NOBODY, NILA)),
    "players:people": (_list_none, (NILA,)),
    "clubs:list": (_list_none, (NILA,)),
    "clubs:found": (_list_none, (NILA,)),
    "clubs:club": (_club, (NILA, RAVI)),
    "clubs:settings": (_club, (NILA,)),
    "clubs:evening": (_club, (NILA,)),
    "clubs:report": (lambda world: [*_club(world), world.ravi.pk], (NILA,)),
    "players:player": (lambda world: [world.ravi.pk], (NOBODY, NILA, RAVI)),
    "my_matches": (_list_none, (NILA, RAVI)),
    "my_decisions": (_list_none, (NILA,)),
    "puzzles": (_list_none, (NOBODY, NILA)),
    "puzzle_rush": (_list_none, (NILA,)),
    "match": (lambda world: [world.match.pk], (NILA,)),
    "deal_replay": (_deal, (NILA,)),
    "deal_verify": (_deal, (NILA,)),
    "offline": (lambda _world: [get_language()], (NOBODY,)),
    "shared_match": (lambda world: [world.shared], (NOBODY,)),
    "shared_replay": (_list_shared_deal, (NOBODY,)),
    "shared_verify": (_list_shared_deal, (NOBODY,)),
    "shared_embed": (_list_shared_deal, (NOBODY,)),
    "tournaments:list": (_list_none, (NOBODY, NILA)),
    "tournaments:leagues": (_list_none, (NOBODY, NILA)),
    "tournaments:mine": (_list_none, (NILA,)),
    "tournaments:new": (_list_none, (NILA,)),
    "wallet:statement": (_list_none, (NILA, RAVI)),
    "wallet:deposit": (_list_none, (NILA,)),
    "wallet:deposit_state": (lambda world: [world.deposit], (NILA,)),
    "wallet:withdrawals": (_list_none, (NILA, RAVI)),
    "wallet:withdrawal": (lambda world: [world.withdrawal], (NILA,)),
    "wallet:withdrawal_review": (lambda world: [world.review], (NILA,)),
    "wallet:bonuses": (_list_none, (NILA, RAVI)),
    "wallet:limits": (_list_none, (NILA,)),
    "sandbox:pay": (lambda world: [world.payment_page], (NILA,)),
    "accounts:settings": (_list_none, (NILA,)),
    "accounts:look": (_list_none, (NILA,)),
    "accounts:notices": (_list_none, (NILA,)),
    "players:privacy": (_list_none, (NILA,)),
    "accounts:tokens": (_list_none, (NILA,)),
    "accounts:own_programs": (_list_none, (NILA,)),
    "accounts:new_program": (_list_none, (NILA,)),
    "accounts:own_program": (lambda world: [world.program], (NILA,)),
    "accounts:new_webhook": (_list_none, (NILA,)),
    "accounts:own_webhook": (lambda world: [world.webhook], (NILA,)),
    "device": (_list_none, (NILA,)),
    "accounts:identity": (_list_none, (NILA, RAVI)),
    "usersessions_list": (_list_none, (NILA,)),
    "account_data": (_list_none, (NILA, LEELA)),
    "account_close": (_list_none, (LEELA,)),
    "account_login": (_list_none, (NOBODY,)),
    "account_signup": (_list_none, (NOBODY,)),
    "account_logout": (_list_none, (RAVI,)),
    "account_inactive": (_list_none, (NOBODY,)),
    "account_email_verification_sent": (_list_none, (NOBODY,)),
    "account_confirm_email": (_make_address, (NOBODY,)),
    "account_reset_password": (_list_none, (NOBODY,)),
    "account_reset_password_done": (_list_none, (NOBODY,)),
    "account_reset_password_from_key": (_reset, (NOBODY,)),
    "account_reset_password_from_key_done": (_list_none, (NOBODY,)),
    "account_email": (_list_none, (NILA,)),
    "account_change_password": (_list_none, (NILA,)),
    "account_set_password": (_list_none, (RAVI,)),
    "account_reauthenticate": (_list_none, (NILA,)),
    "mfa_index": (_list_none, (NILA, RAVI)),
    "mfa_reauthenticate": (_list_none, (NILA,)),
    "mfa_activate_totp": (_list_none, (RAVI,)),
    "mfa_deactivate_totp": (_list_none, (NILA,)),
    "mfa_view_recovery_codes": (_list_none, (NILA,)),
    "mfa_generate_recovery_codes": (_list_none, (NILA,)),
    "mfa_list_webauthn": (_list_none, (NILA,)),
    "mfa_add_webauthn": (_list_none, (RAVI,)),
    "socialaccount_login_cancelled": (_list_none, (NOBODY,)),
    "socialaccount_login_error": (_list_none, (NOBODY,)),
    "socialaccount_connections": (_list_none, (NILA,)),
    "phone_login": (_list_none, (NOBODY,)),
}

GAMES_WITH_LESSONS = ("gin", "basic", "contract", "five_hundred")
# Guide pages that only some games have.
TOPICS = {
    "gin": ("winnings", "points", "game"),
    "contract": ("claims", "contracts"),
    "rummikub": ("claims",),
    "basic": ("race",),
    "five_hundred": ("points",),
}
# URL names that stand for more than one page.
SEVERAL: dict[str, Callable[[World], list[tuple[str, list[Any]]]]] = {
    "document": lambda _world: [(NOBODY, [slug]) for slug in ("rules", "adr", "architecture")],
    "rules_of": lambda _world: [
        (NOBODY, [name]) for name in ("points", "pool", "deals", *GAMES_WITH_LESSONS)
    ],
    "rules_of_format": lambda _world: [
        *((NOBODY, ["indian", topic]) for topic in GUIDE_TOPICS),
        *((NOBODY, [game, topic]) for game, topics in TOPICS.items() for topic in topics),
    ],
    "puzzle": lambda _world: [
        *((NOBODY, [puzzle]) for puzzle in list_puzzles_of_kinds()),
        (NILA, [list_puzzles_of_kinds()[0]]),
    ],
    "tables:rules": lambda world: [(NOBODY, [world.playing.pk])],
    "learn_game": lambda _world: [
        *((NOBODY, [game]) for game in ("indian", *GAMES_WITH_LESSONS)),
        (NILA, ["indian"]),
    ],
    "table": lambda world: [
        (NILA, [world.playing.pk]),
        (STAFF, _hosted(world)),
        (RAVI, [world.waiting.pk]),
        (NOBODY, [world.playing.pk]),
    ],
    "tournaments:league": lambda world: [(NILA, [world.league.pk]), (NOBODY, [world.league.pk])],
    "tournaments:tournament": lambda world: [
        (NILA, [world.registering.pk]),
        (NILA, [world.running.pk]),
        (RAVI, [world.registering.pk]),
        (NOBODY, [world.running.pk]),
    ],
}

# Pages that report a failure, by status.
NOT_OK = {"socialaccount_login_error": 401}

IS_A_FILE = "a file, not a page"
FOR_MACHINES = "speaks to other servers"
NEEDS_A_DEVICE = "asks a security key at once"
LEADS_ON = "leads to a page"
IN_SIGNING_IN = "a step in the middle of signing in; alone it leads back to the start of it"
# URLs that answer GET but are no pages. URLs that only receive forms are not listed.
NO_PAGES = {
    **dict.fromkeys(
        (
            "deal_record",
            "document_file",
            "open_data_month",
            "manifest",
            "service_worker",
            "favicon",
            "robots",
            "sitemap",
            "oembed",
            "tournaments:calendar",
            "tournaments:results",
            "clubs:calendar",
            "security_text",
            "asset_links",
            "site_colours",
            "site_logo",
            "face_picture",
            "shared_record",
            "shared_picture",
            "shared_deal_picture",
            "wallet:statement_file",
            "mfa_download_recovery_codes",
            "account_export_file",
        ),
        IS_A_FILE,
    ),
    **dict.fromkeys(
        (
            "oauth:userinfo",
            "oauth:jwks",
            "openid_configuration",
            "oauth_metadata",
            "well_known_password",
        ),
        FOR_MACHINES,
    ),
    **dict.fromkeys(
        ("table_moves", "table_player", "table_company"), "a part of the page of a table"
    ),
    **dict.fromkeys(
        (
            "daily_puzzle",
            "deal_analysis",
            "next_puzzle",
            "tables:play",
            "set_language",
            "support_table",
        ),
        LEADS_ON,
    ),
    **dict.fromkeys(
        ("mfa_reauthenticate_webauthn", "mfa_remove_webauthn", "mfa_edit_webauthn"), NEEDS_A_DEVICE
    ),
    **dict.fromkeys(
        (
            "account_confirm_login_code",
            "mfa_authenticate",
            "mfa_login_webauthn",
            "socialaccount_signup",
            "accounts:other_site_signup",
            "phone_code",
            "apple_finish_callback",
            "apple_login",
            "discord_callback",
            "discord_login",
            "facebook_callback",
            "facebook_login",
            "facebook_login_by_token",
            "google_callback",
            "google_login",
            "google_login_by_token",
            "openid_connect_callback",
            "openid_connect_login",
        ),
        IN_SIGNING_IN,
    ),
    "accounts:region": "there where regions have rules: tests/core/site/test_regions.py",
    SWAGGER: "other people's page within ours; tests/e2e/test_swagger.py works with it",
    "oauth:authorization": "asked with a query; tests/e2e/test_oauth.py works with it",
    # Other names for the same page.
    "accounts:signup": "account_signup",
    "accounts:confirm_email": "account_confirm_email",
    "accounts:reset_password_from_key": "account_reset_password_from_key",
    "accounts:set_password": "account_set_password",
    "accounts:prove": "for players without a password: tests/e2e/test_proving.py looks at it",
}


def places(world: World) -> Iterator[Place]:
    for name, (arguments, people) in PAGES.items():
        path = reverse(name, args=arguments(world))
        for who in people:
            yield Place(name, who, path, NOT_OK.get(name, 200))
    yield Place("no page", NOBODY, "/no/such/page/", 404)
    yield Place("no page", NILA, "/no/such/page/", 404)
    for name, several in SEVERAL.items():
        for who, arguments_of in several(world):
            yield Place(name, who, reverse(name, args=arguments_of))


def admin_places() -> Iterator[Place]:
    for name in ("admin:index", "admin:setup", "admin:reports", "admin:reports_fees"):
        yield Place(name, STAFF, reverse(name))
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        yield Place(name, STAFF, reverse(name))


def list_addresses() -> dict[str, str]:
    """Return an address for every URL name, except those of the administration and of the API's answers."""
    return {
        name: "/" + PLACEHOLDER.sub("1", address)
        for address, name in _list_names(get_resolver(), "", "")
        if not address.startswith("api/") or name in {API_PAGE, SWAGGER}
    }


def _list_names(resolver: URLResolver, before: str, spaces: str) -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            if pattern.name:
                yield address, spaces + pattern.name
        elif pattern.namespace != "admin":
            inner = spaces + (f"{pattern.namespace}:" if pattern.namespace else "")
            yield from _list_names(pattern, address, inner)
