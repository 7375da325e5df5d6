import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from core.emails.sending import awaits_confirmation
from tests.accounts.users import SIGNUP
from tests.api_program import chips_of
from tests.oauth_program import prove_recently
from tests.wallet.cash_players import make_player
from wallet.models import Journal

pytestmark = pytest.mark.django_db

FORM = {**SIGNUP, "email": "Asha@Example.com"}


def sign_up(client, **changes):
    return client.post(reverse("account_signup"), {**FORM, **changes})


def find_mailed_link():
    (message,) = mail.outbox[-1:]
    (path,) = re.findall(r"https?://testserver(/\S+)", str(message.body))
    return path


def test_a_new_account_is_signed_in_and_gets_its_welcome_chips_exactly_once(client, settings):
    settings.WELCOME_CHIPS = 10_000
    before = timezone.now()
    answer = sign_up(client)
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get()
    assert (user.email, user.player_name, user.language) == ("asha@example.com", "Asha Rao", "en")
    assert not user.is_guest
    assert user.adult_confirmed_at is not None
    assert before <= user.adult_confirmed_at <= timezone.now()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert chips_of(user) == 10_000
    assert awaits_confirmation(user.pk)

    link = find_mailed_link()
    assert client.get(link).status_code == 200
    assert awaits_confirmation(user.pk)  # opening the page confirms nothing
    assert client.post(link).status_code == 302
    assert not awaits_confirmation(user.pk)

    client.post(link)
    assert chips_of(user) == 10_000
    assert list(Journal.objects.values_list("key", flat=True)) == [f"welcome:{user.pk}"]


def test_an_account_is_rolled_back_without_its_welcome_chips(client, settings):
    """The account and its welcome chips are created in one transaction."""
    settings.WELCOME_CHIPS = -1
    with pytest.raises(ValueError, match="an amount is between"):
        sign_up(client)
    assert not User.objects.exists()


def test_a_second_address_brings_no_second_welcome(client, settings):
    sign_up(client)
    client.post(find_mailed_link())
    user = User.objects.get()
    settings.WELCOME_CHIPS = 99_999
    prove_recently(client, user)
    client.post(reverse("account_email"), {"action_add": "", "email": "other@example.com"})
    client.post(find_mailed_link())
    verified = EmailAddress.objects.filter(user=user, verified=True)
    assert {row.email for row in verified} == {"asha@example.com", "other@example.com"}
    assert chips_of(user) == 10_000


def test_signing_up_needs_the_confirmed_age(client):
    answer = sign_up(client, adult="")
    assert answer.status_code == 200
    assert "OpenRummy is for people aged 18 and over." in answer.text
    assert not User.objects.exists()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"player_name": "asha RAO"}, "This player name is taken."),
        (
            {"player_name": "A\u202eha"},
            "A player name may contain only letters, digits, spaces and",
        ),
        ({"player_name": "Support"}, "mistaken for one of the site&#x27;s staff or bots"),
        ({"player_name": "\u0410sha"}, "A player name must be written in one alphabet."),
        ({"player_name": "Al"}, "at least 3 characters"),
        ({"password1": "12345678"}, "too common"),
        ({"email": "not an address"}, "valid e-mail address"),
    ],
)
def test_a_bad_field_is_refused_with_a_sentence(client, changes, sentence):
    User.objects.create_user("somebody@example.com", player_name="Asha Rao")
    answer = sign_up(client, **{"player_name": "Bela", **changes})
    assert answer.status_code == 200
    assert sentence in answer.text
    assert User.objects.count() == 1
    assert mail.outbox == []


def test_the_form_has_three_fields_and_a_box_to_tick(client):
    page = client.get(reverse("account_signup")).text
    main = page[page.index('id="main"') :]
    names = re.findall(r'<input type="(?!hidden)\w+" name="(\w+)"', main)
    assert sorted(names) == ["adult", "email", "password1", "player_name"]


def test_the_address_signs_in_in_any_case(client):
    sign_up(client)
    client.post(find_mailed_link())
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session
    form = {"login": "ASHA@example.COM", "password": FORM["password1"]}
    client.post(reverse("account_login"), form)
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)


def test_an_address_that_no_mail_can_be_written_to_is_refused(client, settings):
    """Django accepts the address, but its domain has no valid IDNA encoding."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    address = f"asha@{'é' * 60}.example"
    assert "valid e-mail address" in sign_up(client, email=address).text
    assert not User.objects.exists()
    bela = make_player("Bela")
    client.force_login(bela)
    prove_recently(client, bela)
    answer = client.post("/accounts/email/", {"email": address, "action_add": ""})
    assert "valid e-mail address" in answer.text


def test_the_link_goes_to_the_domain_that_was_typed(client):
    """Python's IDNA 2003 codec would turn the domain into fass.example, which is another one."""
    sign_up(client, email="asha@faß.example")
    assert mail.outbox[-1].recipients() == ["asha@xn--fa-hia.example"]
    assert User.objects.get().email == "asha@faß.example"


def test_a_forgotten_password_is_reset_by_mail(client):
    sign_up(client)
    client.post(find_mailed_link())
    client.post(reverse("account_logout"))
    client.post(reverse("account_reset_password"), {"email": FORM["email"]})
    form = client.get(find_mailed_link(), follow=True)
    new = {"password1": "nine-limes-now", "password2": "nine-limes-now"}
    client.post(form.request["PATH_INFO"], new)
    assert User.objects.get().check_password("nine-limes-now")


def test_an_address_in_use_is_refused_with_the_way_to_its_account(client):
    """The page may say so openly: registering signs in at once, so any answer would reveal it."""
    make_player()
    page = sign_up(client).text
    assert "There is an account with this e-mail address" in page
    assert User.objects.count() == 1
    assert mail.outbox == []
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("host", ["127.0.0.1:1337", "localhost", "127.0.0.1"])
def test_mailed_links_lead_to_the_site_itself(client, settings, host):
    """Links ignore the Host header: an attacker could otherwise have the secret sent to their own host."""
    settings.SITE_URL = "https://play.example"
    client.post(reverse("account_signup"), FORM, headers={"Host": host})
    client.post(reverse("account_logout"), headers={"Host": host})
    client.post(reverse("account_reset_password"), {"email": FORM["email"]}, headers={"Host": host})
    client.post(reverse("account_signup"), FORM, headers={"Host": host})
    assert len(mail.outbox) >= 2
    for sent in mail.outbox:
        links = re.findall(r"https?://\S+", str(sent.body))
        assert links
        assert all(link.startswith("https://play.example/accounts/") for link in links)
        assert host not in sent.body
        assert "play.example" in sent.body


class TestShownLinks:
    def test_a_local_run_shows_the_link_it_mailed(self, client, settings):
        settings.SHOW_MAIL_LINKS = True
        sign_up(client)
        page = client.get(reverse("accounts:settings")).text
        assert f'href="http://testserver{find_mailed_link()}"' in page
        client.post(find_mailed_link())
        client.post(reverse("account_logout"))
        reset = reverse("account_reset_password")
        page = client.post(reset, {"email": FORM["email"]}, follow=True).text
        assert f'href="http://testserver{find_mailed_link()}"' in page

    def test_a_deployment_shows_no_mailed_link(self, client):
        page = client.post(reverse("account_signup"), FORM, follow=True).text
        assert find_mailed_link() not in page
        assert "mail_link" not in client.session

    def test_a_mail_without_a_link_hides_the_last_one(self, client, settings):
        settings.SHOW_MAIL_LINKS = True
        sign_up(client)
        reset = reverse("account_reset_password")
        page = client.post(reset, {"email": "nobody@example.com"}, follow=True).text
        assert "mail-link" not in page
