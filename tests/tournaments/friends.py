"""Tournaments that players open for their friends."""

from datetime import timedelta

from django.utils import timezone

from tests.tournaments.driving import tick_and_reload
from tournaments.registration.services import register
from tournaments.running.private import PrivateTerms, open_private, start_now


def open_cup(host, *friends, **changed):
    """Open a tournament for this host, and enter the friends with its code. Return it."""
    terms = {
        "game": "indian", "preset": "deals2", "format": "knock-out", "seats": 3, "deals": 1,
        "entry_fee": 200, "most": 9, "starts_at": timezone.now() + timedelta(minutes=10), **changed,
    }  # fmt: skip
    cup = open_private(user_id=host.pk, terms=PrivateTerms(**terms), now=timezone.now())
    for friend in friends:
        join_cup(cup, friend, cup.invite_code)
    return cup


def join_cup(tournament, user, invite):
    return register(tournament_id=tournament.pk, user_id=user.pk, now=timezone.now(), invite=invite)


def start_cup(cup):
    """Let the host start the tournament early. Return it after a tick."""
    start_now(tournament_id=cup.pk, user_id=cup.opened_by_id, now=timezone.now())
    return tick_and_reload(cup)
