"""The export of a player's data, and the closing of an account."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.auth.hashers import is_password_usable
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens.services import make_token
from accounts.models import ApiToken, IdentityCheck, IdentityDocument, PastSession, Scope, User
from accounts.models.users import AccountExport
from accounts.people.exports import ask_for_export, find_export, make_exports
from config.account_data.closing import NotYet, close_account, list_obstacles_to_closing
from config.account_data.export import LEFT_OUT, SECTIONS, export_account_data
from config.tasks import maintain_exports
from core import private_files
from core.models import OutgoingEmail
from history.models import CaseTopic
from history.support import services as support
from tables.models import ChatLine, Seat
from tests.accounts.images import png
from tests.accounts.users import PASSWORD, confirm_address
from tests.given import reload, require
from tests.oauth_program import prove_recently
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import play_short_match, seat_all
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.tournaments.driving import enter
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from tests.wallet.withdrawals.asking import ask, mark_paid
from wallet.models import Deposit, LedgerAccount

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("private")]
__all__ = ["make_player", "make_table", "make_template", "make_tournament_of"]
PAGE, FILE, CLOSE = "/accounts/data/", "/accounts/data/file/", "/accounts/data/close/"


@pytest.fixture
def asha(make_player):
    user = make_player()
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    return confirm_address(user)


def sign_in(user):
    client = Client(HTTP_USER_AGENT="Firefox/121.0 (Windows)", REMOTE_ADDR="203.0.113.7")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/rules/")
    return client


def prove_password(client):
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def send_document(user, staff):
    name = private_files.keep(png(), folder="identity", extension="png")
    IdentityDocument.objects.create(
        identity_check=approve_identity(user, staff),
        side="FRONT",
        stored_as=name,
        content_type="image/png",
    )


def play_a_match(make_table, *players):
    """Play a match that both players have left."""
    match = play_short_match(make_table(), *players)
    Seat.objects.filter(table=match.table).update(status="LEFT", left_at=timezone.now())
    return match


class TestExport:
    def test_every_reference_to_a_user_is_exported_or_excluded(self):
        expected = set(LEFT_OUT)
        expected |= {f"{model._meta.label}.{field}" for model, field, _told in SECTIONS.values()}
        fields = {
            f"{model._meta.label}.{field.name}"
            for model in apps.get_models()
            for field in model._meta.get_fields()
            if field.is_relation and not field.auto_created and field.related_model is User
        }
        assert fields == expected

    def test_the_export_holds_the_players_data(self, asha, make_player, make_table):
        boss = make_staff("Boss")
        sign_in(asha)
        make_token(user_id=asha.pk, name="My bot", scopes=[Scope.READ])
        match = play_a_match(make_table, asha, make_player())
        ChatLine.objects.create(table=match.table, user=asha, text="Good evening")
        bring_deposit(asha, 50_000)
        send_document(asha, boss)
        support.open_case(user_id=asha.pk, topic=CaseTopic.OTHER, text="Where is my bonus?")
        data = json.loads(export_account_data(asha.pk))
        assert data["format"] == "openrummy-account-1"
        assert data["account"]["email"] == asha.email
        assert data["sessions"][0]["ip"] == "203.0.113.7"
        assert data["api_tokens"][0]["name"] == "My bot"
        assert data["identity_checks"][0]["document_number"] == f"ABCDE{asha.pk:04}F"
        assert data["identity_documents"][0]["content_type"] == "image/png"
        assert data["deposits"][0]["amount"] == 50_000
        [line] = data["chat"]
        assert line.pop("said_at")
        assert line == {
            "table_id": match.table_id,
            "club__name": None,
            "phrase": "",
            "text": "Good evening",
        }
        assert data["messages_to_staff"][0]["text"] == "Where is my bonus?"
        assert [entry["amount"] for entry in data["ledger"]["PLAYER INR"]] == [50_000]
        welcome = data["ledger"]["PLAYER CHIPS"][0]
        assert (welcome["transfer__reason"], welcome["balance_after"]) == ("WELCOME", 10_000)
        assert data["matches"][0]["number"] == match.pk
        assert data["matches"][0]["records"] == [f"/matches/{match.pk}/deals/1.json"]

    def test_the_export_holds_no_secrets_and_no_data_of_others(self, asha, make_player, make_table):
        other = make_player()
        token, text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
        client = sign_in(asha)
        play_a_match(make_table, asha, other)
        whole = export_account_data(asha.pk).decode()
        for secret in (asha.password, text, token.token_hash, client.session.session_key):
            assert secret not in whole
        assert other.email not in whole

    def test_a_player_requests_and_downloads_an_export(self, asha, private):
        client = sign_in(asha)
        assert client.get(FILE).status_code == 302  # redirected to prove their identity
        client.post(reverse("account_export"))
        assert "is being made" in client.get(PAGE).text
        assert maintain_exports() == 1
        assert maintain_exports() == 0
        assert OutgoingEmail.objects.get(user=asha).subject == "Your data is ready"
        assert f'href="{FILE}"' in client.get(PAGE).text
        assert client.get(FILE)["Location"].startswith(reverse("account_reauthenticate"))
        answer = prove_password(client).get(FILE)
        assert json.loads(answer.content)["account"]["number"] == asha.pk
        assert "attachment" in answer["Content-Disposition"]
        assert "no-store" in answer["Cache-Control"]
        client.post(reverse("account_export"))
        assert AccountExport.objects.count() == 1

        AccountExport.objects.update(made_at=timezone.now() - timedelta(days=8))
        maintain_exports()
        assert not list(private.rglob("*.json"))
        assert prove_password(client).get(FILE).status_code == 404
        client.post(reverse("account_export"))
        assert AccountExport.objects.filter(made_at=None).count() == 1

    def test_a_player_cannot_download_the_export_of_another(self, asha, make_player):
        sign_in(asha).post(reverse("account_export"))
        maintain_exports()
        other = make_player()
        browser = sign_in(other)
        prove_recently(browser, other)
        assert browser.get(FILE).status_code == 404

    def test_exports_that_cannot_be_made_keep_nobody_waiting(self, asha, make_player):
        failing = [make_player().pk for _ in range(6)]
        for user_id in (*failing, asha.pk):
            ask_for_export(user_id=user_id)

        def content_of(user_id):
            if user_id in failing:
                raise ValueError("an unreadable row")
            return b"{}"

        assert make_exports(content_of, now=timezone.now()) == 1
        assert require(find_export(asha.pk)).stored_as

    def test_an_export_takes_the_same_queries_for_many_entries(self, asha):
        counted = []
        for number in range(2):
            with CaptureQueriesContext(connection) as queries:
                export_account_data(asha.pk)
            counted.append(len(queries))
            for win in range(3):
                bring_winnings(asha, 100, key=f"won{number}{win}")
        # The first winnings opened one more account.
        assert counted[1] == counted[0] + 1


class TestClosing:
    def test_open_matters_prevent_closing_and_are_named(self, asha, make_table, make_tournament_of):
        seat_all(make_table(), asha)
        enter(make_tournament_of(), asha)
        bring_winnings(asha, 1_000)
        Deposit.objects.create(user=asha, amount=5_000, provider="sandbox", reference="d1")
        client = prove_password(sign_in(asha))
        page = client.get(PAGE).text
        for words in ("Leave the tables", "your tournaments", "your cash", "your deposits"):
            assert words in page
        answer = client.post(CLOSE, {"player_name": asha.player_name})
        assert answer["Location"] == PAGE
        with pytest.raises(NotYet):
            close_account(user_id=asha.pk)
        assert reload(asha).is_active
        assert EmailAddress.objects.filter(user=asha).exists()

    def test_staff_cannot_close_their_own_account(self):
        boss = make_staff("Boss")
        assert len(list_obstacles_to_closing(boss)) == 1
        with pytest.raises(NotYet):
            close_account(user_id=boss.pk)
        assert reload(boss).is_active

    def test_closing_asks_for_the_password_and_the_name(self, asha):
        client = sign_in(asha)
        assert client.get(CLOSE)["Location"].startswith(reverse("account_reauthenticate"))
        prove_password(client)
        assert "Close the account permanently" in client.get(CLOSE).text
        client.post(CLOSE, {"player_name": "somebody"})
        assert reload(asha).closed_at is None

    def test_closing_deletes_personal_data_and_keeps_the_books(
        self, asha, make_player, make_table, private, django_capture_on_commit_callbacks
    ):
        other, boss = make_player(), make_staff("Boss")
        name, address, renamed = asha.player_name, asha.email, f"Closed #{asha.pk}"
        match = play_a_match(make_table, asha, other)
        ChatLine.objects.create(table=match.table, user=asha, text="Good evening")
        make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
        Authenticator.objects.create(user=asha, type="totp", data={"secret": "x"})
        send_document(asha, boss)
        phone, laptop = sign_in(asha), prove_password(sign_in(asha))
        laptop.post(reverse("account_export"))
        maintain_exports()
        balance = LedgerAccount.objects.get(kind="PLAYER", owner_id=asha.pk).balance
        # `asha` has an authenticator now, but her password is still accepted as proof.
        with django_capture_on_commit_callbacks(execute=True):
            answer = laptop.post(CLOSE, {"player_name": name})
        assert answer["Location"] == "/"
        asha.refresh_from_db()
        assert (asha.player_name, asha.email) == (renamed, f"closed-{asha.pk}@closed.invalid")
        assert not asha.is_active
        assert asha.closed_at is not None
        assert not is_password_usable(asha.password)
        signing_in = (EmailAddress, Authenticator, UserSession, PastSession, ApiToken)
        for model in (*signing_in, IdentityCheck, OutgoingEmail, ChatLine):
            assert not model.objects.filter(user=asha).exists(), model
        assert not list(private.rglob("*.*"))
        for client in (phone, laptop):
            assert client.get(reverse("accounts:settings")).status_code == 302
        # The ledger and the match are kept, with a number in place of the name.
        assert LedgerAccount.objects.get(kind="PLAYER", owner_id=asha.pk).balance == balance
        players = reload(match).players.values()
        assert {player["name"] for player in players} == {renamed, other.player_name}
        assert {player["user"] for player in players} == {asha.pk, other.pk}
        assert name not in sign_in(other).get(f"/matches/{match.pk}/").text
        assert [email.to for email in mail.outbox] == [[address]]
        # Name and address are free again.
        User.objects.create_user(address, player_name=name)

    def test_the_identity_behind_a_payout_is_kept(self, asha):
        boss = make_staff("Boss")
        approve_identity(asha, boss)
        set_rules()
        bring_winnings(asha, 100_000)
        withdrawal = ask(asha, 100_000)
        [obstacle] = list_obstacles_to_closing(asha)
        assert str(obstacle) == "Wait until your withdrawals are paid."
        mark_paid(withdrawal, boss)
        close_account(user_id=asha.pk)
        assert IdentityCheck.objects.get(user=asha).full_name.endswith("Rao")


def test_a_name_that_staff_change_goes_from_the_matches_too(asha, make_player, make_table):
    """Staff change an offensive name, which would otherwise remain on the pages of finished matches."""
    User.objects.filter(pk=asha.pk).update(player_name="Rude Name")
    match = play_a_match(make_table, reload(asha), make_player())
    office = sign_in(make_staff("Boss"))
    form = {"email": asha.email, "player_name": "Better", "language": "en"}
    page = f"/admin/accounts/user/{asha.pk}/change/"
    office.post(page, {**form, "reason_for_audit": "It insults somebody."})
    assert reload(asha).player_name == "Better"
    assert "Rude Name" not in json.dumps(reload(match).players)
    player = sign_in(asha)
    for path in (
        "/matches/",
        f"/matches/{match.pk}/",
        f"/matches/{match.pk}/deals/1/",
        f"/tables/{match.table_id}/",
    ):
        answer = player.get(path)
        assert answer.status_code == 200, path
        assert "Rude Name" not in answer.text, path
