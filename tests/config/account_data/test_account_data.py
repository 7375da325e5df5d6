"""Taking one's data along, and closing an account: nothing of the person is left but the books."""

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
from config.account_data.closing import NotYet, close_account, list_obstacles_to_closing
from config.account_data.export import LEFT_OUT, SECTIONS, export_account_data
from config.tasks import tend_exports
from core import private_files
from core.models import OutgoingEmail
from tables.models import CaseTopic, ChatLine, Match, Seat
from tables.support import services as support
from tests.accounts.images import png
from tests.tables.conftest import make_player, make_table
from tests.tables.driving import act, game_view, let_time_pass, seat_all, start_match
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.tournaments.driving import enter
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_staff,
    set_rules,
)
from wallet.models import Deposit, LedgerAccount, Withdrawal
from wallet.withdrawals.requesting import WithdrawalRequest, request_withdrawal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("private")]
__all__ = ["make_player", "make_table", "make_template", "make_tournament_of"]
PAGE, FILE, CLOSE = "/accounts/data/", "/accounts/data/file/", "/accounts/data/close/"
PASSWORD = "nine-limes-a-day"


@pytest.fixture
def asha(make_player):
    user = make_player()
    user.set_password(PASSWORD)
    user.save(update_fields=["password"])
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


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
    """Over with its first drop; both have left the table."""
    table = start_match(make_table(), *players)
    let_time_pass(table)
    act(table, game_view(table)["turn"], kind="drop")
    Seat.objects.filter(table=table).update(status="LEFT", left_at=timezone.now())
    return Match.objects.get(table=table)


class TestExport:
    def test_every_field_that_names_a_person_is_told_or_left_out_with_a_reason(self):
        expected = set(LEFT_OUT)
        expected |= {f"{model._meta.label}.{field}" for model, field, _told in SECTIONS.values()}
        fields = {
            f"{model._meta.label}.{field.name}"
            for model in apps.get_models()
            for field in model._meta.get_fields()
            if field.is_relation and not field.auto_created and field.related_model is User
        }
        assert fields == expected

    def test_the_file_tells_what_is_kept(self, asha, make_player, make_table):
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
        assert data["chat"] == [
            {
                "table_id": match.table_id,
                "club__name": None,
                "phrase": "",
                "text": "Good evening",
                "said_at": data["chat"][0]["said_at"],
            }
        ]
        assert data["messages_to_staff"][0]["text"] == "Where is my bonus?"
        assert [entry["amount"] for entry in data["ledger"]["PLAYER INR"]] == [50_000]
        welcome = data["ledger"]["PLAYER CHIPS"][0]
        assert (welcome["transfer__reason"], welcome["balance_after"]) == ("WELCOME", 10_000)
        assert data["matches"][0]["number"] == match.pk
        assert data["matches"][0]["records"] == [f"/matches/{match.pk}/deals/1.json"]

    def test_nothing_of_others_and_no_secret_is_in_it(self, asha, make_player, make_table):
        other = make_player()
        token, text = make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
        client = sign_in(asha)
        play_a_match(make_table, asha, other)
        whole = export_account_data(asha.pk).decode()
        for secret in (asha.password, text, token.token_hash, client.session.session_key):
            assert secret not in whole
        assert other.email not in whole

    def test_it_is_asked_for_made_and_fetched(self, asha, private):
        client = sign_in(asha)
        assert client.get(FILE).status_code == 302  # prove who you are
        client.post(reverse("account_export"))
        assert "is being made" in client.get(PAGE).text
        assert tend_exports() == 1
        assert tend_exports() == 0
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
        tend_exports()
        assert not list(private.rglob("*.json"))
        assert prove_password(client).get(FILE).status_code == 404
        client.post(reverse("account_export"))
        assert AccountExport.objects.filter(made_at=None).count() == 1

    def test_nobody_fetches_the_file_of_another(self, asha, make_player):
        sign_in(asha).post(reverse("account_export"))
        tend_exports()
        assert sign_in(make_player()).get(FILE).status_code == 404

    def test_it_takes_the_same_queries_for_many_entries(self, asha):
        counted = []
        for number in range(2):
            with CaptureQueriesContext(connection) as queries:
                export_account_data(asha.pk)
            counted.append(len(queries))
            for win in range(3):
                bring_winnings(asha, 100, key=f"won{number}{win}")
        # One account more was opened by the first winnings.
        assert counted[1] == counted[0] + 1


class TestClosing:
    def test_what_is_open_is_said_and_stands_in_the_way(self, asha, make_table, make_tournament_of):
        seat_all(make_table(), asha)
        enter(make_tournament_of(), asha)
        bring_winnings(asha, 1_000)
        Deposit.objects.create(user=asha, amount=5_000, provider="sandbox", reference="d1")
        client = prove_password(sign_in(asha))
        page = client.get(PAGE).text
        for words in ("Leave the tables", "your tournaments", "the cash", "your deposits"):
            assert words in page
        answer = client.post(CLOSE, {"player_name": asha.player_name})
        assert answer["Location"] == PAGE
        with pytest.raises(NotYet):
            close_account(user_id=asha.pk)
        asha.refresh_from_db()
        assert asha.is_active
        assert EmailAddress.objects.filter(user=asha).exists()

    def test_staff_do_not_close_their_own_account(self):
        boss = make_staff("Boss")
        assert len(list_obstacles_to_closing(boss)) == 1
        with pytest.raises(NotYet):
            close_account(user_id=boss.pk)
        boss.refresh_from_db()
        assert boss.is_active

    def test_it_asks_for_the_password_and_for_the_name(self, asha):
        client = sign_in(asha)
        assert client.get(CLOSE)["Location"].startswith(reverse("account_reauthenticate"))
        prove_password(client)
        assert "Close the account for ever" in client.get(CLOSE).text
        client.post(CLOSE, {"player_name": "somebody"})
        asha.refresh_from_db()
        assert asha.closed_at is None

    def test_nothing_of_the_person_is_left_but_the_books(
        self, asha, make_player, make_table, private, django_capture_on_commit_callbacks
    ):
        other, boss, address = make_player(), make_staff("Boss"), asha.email
        name = asha.player_name
        match = play_a_match(make_table, asha, other)
        ChatLine.objects.create(table=match.table, user=asha, text="Good evening")
        make_token(user_id=asha.pk, name="Bot", scopes=[Scope.READ])
        Authenticator.objects.create(user=asha, type="totp", data={"secret": "x"})
        send_document(asha, boss)
        phone, laptop = sign_in(asha), prove_password(sign_in(asha))
        laptop.post(reverse("account_export"))
        tend_exports()
        balance = LedgerAccount.objects.get(kind="PLAYER", owner_id=asha.pk).balance
        # `asha` has an authenticator now; the password proves who she is all the same.
        with django_capture_on_commit_callbacks(execute=True):
            answer = laptop.post(CLOSE, {"player_name": name})
        assert answer["Location"] == "/"
        asha.refresh_from_db()
        assert (asha.player_name, asha.email) == (
            f"Closed #{asha.pk}",
            f"closed-{asha.pk}@closed.invalid",
        )
        assert not asha.is_active
        assert asha.closed_at is not None
        assert not is_password_usable(asha.password)
        for model in (
            EmailAddress,
            Authenticator,
            UserSession,
            PastSession,
            ApiToken,
            IdentityCheck,
            OutgoingEmail,
        ):
            assert not model.objects.filter(user=asha).exists(), model
        assert not ChatLine.objects.filter(user=asha).exists()
        assert not list(private.rglob("*.*"))
        for client in (phone, laptop):
            assert client.get(reverse("accounts:profile")).status_code == 302
        # The books and the match stay, with a number for a name.
        assert LedgerAccount.objects.get(kind="PLAYER", owner_id=asha.pk).balance == balance
        match.refresh_from_db()
        assert {player["name"] for player in match.players.values()} == {
            f"Closed #{asha.pk}",
            other.player_name,
        }
        assert {player["user"] for player in match.players.values()} == {asha.pk, other.pk}
        assert name not in sign_in(other).get(f"/matches/{match.pk}/").text
        assert [email.to for email in mail.outbox] == [[address]]
        # Name and address are free again.
        User.objects.create_user(address, player_name=name)

    def test_whom_money_was_paid_to_stays_known_to_the_books(self, asha):
        boss = make_staff("Boss")
        approve_identity(asha, boss)
        set_rules()
        bring_winnings(asha, 100_000)
        wanted = WithdrawalRequest("w1", 100_000, 70_000, "asha@upi")
        withdrawal = request_withdrawal(user_id=asha.pk, wanted=wanted, now=timezone.now())
        assert [str(obstacle) for obstacle in list_obstacles_to_closing(asha)] == [
            "Wait until your withdrawals are paid."
        ]
        Withdrawal.objects.filter(pk=withdrawal.pk).update(
            state="PAID", ended_at=timezone.now(), approved_by=boss, send_at=None
        )
        close_account(user_id=asha.pk)
        assert IdentityCheck.objects.get(user=asha).full_name.endswith("Rao")
