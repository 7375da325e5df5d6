"""Tournaments of a local run: there is always one to join within minutes."""

from django.db import transaction

from tournaments.models import TournamentTemplate

_RULES = {"game": "indian", "preset": "deals2"}
TEMPLATES = (
    # Every five minutes, filled up with bots: there is always one to join.
    {
        "name": "Chai Break", "words": {"hi": {"name": "चाय ब्रेक"}},
        "schedule": "*/5 * * * *", "entry_fee": 50, "seats": 3, "deals": 1,
        "qualifiers": 1, "min_entrants": 3, "max_entrants": 60, "bots_to": 9,
        "bot_strength": "easy", "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 1_800, "announce_seconds": 1_800,
    },
    {
        "name": "Freeroll", "words": {"hi": {"name": "मुफ़्त टूर्नामेंट"}},
        "schedule": "*/15 * * * *", "entry_fee": 0, "guarantee": 1_000,
        "seats": 6, "deals": 1, "qualifiers": 2, "min_entrants": 2, "max_entrants": 120,
        "bots_to": 12, "break_seconds": 30, "late_seconds": 120, "registration_seconds": 3_600,
        "announce_seconds": 7_200,
    },
    {
        "name": "Banyan Duel", "words": {"hi": {"name": "बरगद द्वंद्व"}},
        "format": "heads-up", "schedule": "10,25,40,55 * * * *",
        "entry_fee": 50, "seats": 2, "deals": 1, "qualifiers": 1, "min_entrants": 2,
        "max_entrants": 64, "bots_to": 8, "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 3_600, "announce_seconds": 3_600,
    },
    {
        "name": "Peacock Shoot-out", "words": {"hi": {"name": "मयूर शूट-आउट"}},
        "format": "shoot-out", "schedule": "5,20,35,50 * * * *",
        "entry_fee": 100, "seats": 4, "deals": 1, "stakes": "1, 2, 4", "min_entrants": 2,
        "max_entrants": 120, "bots_to": 8, "break_seconds": 15, "round_seconds": 600,
        "registration_seconds": 3_600, "announce_seconds": 3_600,
    },
    {
        "name": "Monsoon Cup", "words": {"hi": {"name": "मानसून कप"}},
        "schedule": "0,30 * * * *", "entry_fee": 200, "guarantee": 2_000,
        "seats": 6, "deals": 2, "qualifiers": 2, "min_entrants": 6, "max_entrants": 600,
        "bots_to": 18, "bot_strength": "hard", "rebuys": 1, "registration_seconds": 7_200,
        "announce_seconds": 14_400, "payout_table": [[1, 4_000], [1, 2_500], [1, 1_500], [4, 500]],
    },
)  # fmt: skip
# Pays seats in the last of them.
SATELLITE = {
    "name": "Monsoon Satellite", "words": {"hi": {"name": "मानसून सैटेलाइट"}},
    "schedule": "10,40 * * * *", "entry_fee": 40, "seats": 6,
    "deals": 1, "qualifiers": 2, "min_entrants": 6, "max_entrants": 120, "bots_to": 12,
    "registration_seconds": 3_600, "announce_seconds": 7_200,
}  # fmt: skip


@transaction.atomic
def make_demo_templates() -> None:
    """Only where there are no templates at all."""
    if not TournamentTemplate.objects.exists():
        made = [TournamentTemplate.objects.create(**_RULES, **terms) for terms in TEMPLATES]
        TournamentTemplate.objects.create(ticket_for=made[-1], **_RULES, **SATELLITE)
