"""Bonuses: given with a reason, released for entry fees, expired."""

from datetime import timedelta

from django.urls import reverse

from tests.wallet.bonuses.giving import cash, finish, give, play, tend
from wallet.models import Bonus


class TestPages:
    def test_the_page_says_what_comes_next(self, asha, client):
        client.force_login(asha)
        assert "You have no bonus yet." in client.get("/wallet/bonuses/").text
        give(asha)
        give(asha, reference="g2")
        page = " ".join(client.get("/wallet/bonuses/").text.split())
        assert "₹50.00 after entry fees of ₹100.00 more." in page
        assert "It begins when the one before it has ended." in page
        assert "What is left then expires on" in page

    def test_statement_lines_explain_themselves(self, asha, client):
        give(asha)
        finish(play(asha, 10_000), 10_000)
        tend(timedelta(days=31))
        client.force_login(asha)
        page = client.get("/wallet/?account=bonus&topic=gifts").text
        for words in ("Bonus expired", "Bonus released to your winnings", "Bonus 1"):
            assert words.rstrip("1") in page
        assert "Bonus released by playing" in client.get("/wallet/?account=winnings").text

    def test_an_administrator_gives_one_with_a_reason(self, asha, boss, client):
        client.force_login(boss)
        page = reverse("admin:wallet_bonus_add")
        form = {
            "reference": "made-with-the-form",
            "email": "Asha@example.com",
            "amount": "100.50",
            "chunks": "10",
            "play_multiple": "10",
            "days": "30",
            "reason": "For patience.",
        }
        assert "Days until it expires" in client.get(page).text
        for changes, sentence in (
            ({"reason": ""}, "required"),
            ({"amount": "१०"}, "Write an amount in digits"),
            ({"amount": "1.005"}, "two digits after the point"),
            ({"email": "nobody@example.com"}, "no player with this e-mail address"),
            ({"email": "boss@example.com"}, "You cannot give yourself a bonus"),
            ({"chunks": "1000"}, "These terms make no bonus"),
            ({"days": "0"}, "greater than or equal to 1"),
        ):
            assert sentence in client.post(page, {**form, **changes}).text
            assert not Bonus.objects.exists()
        for _click in range(2):
            answer = client.post(page, form, follow=True)
            assert "The bonus has been given." in answer.text
        bonus = Bonus.objects.get()
        assert (bonus.amount, bonus.granted_by, bonus.user) == (10_050, boss, asha)
        assert cash(asha).bonus == 10_050
