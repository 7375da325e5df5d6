"""The refusals of tournaments, each with a code for programs and a sentence for players."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal, RefusalKind


class TournamentNotFound(Refusal):
    status = 404
    code = "tournament_not_found"
    message = _("There is no such tournament.")


REGISTRATION_CLOSED: Final = RefusalKind(
    "registration_closed", _("Registration for this tournament is not open.")
)
ALREADY_REGISTERED: Final = RefusalKind(
    "already_registered", _("You are registered for this tournament already.")
)
NOT_REGISTERED: Final = RefusalKind(
    "not_registered", _("You are not registered for this tournament.")
)
TOO_LATE_TO_WITHDRAW: Final = RefusalKind(
    "too_late_to_withdraw", _("The tournament has begun: nobody can withdraw any more.")
)
NO_TICKET: Final = RefusalKind("no_ticket", _("You have no ticket for this tournament."))
NO_REBUY: Final = RefusalKind("no_rebuy", _("You cannot pay again to come back now."))
BOTS_DO_NOT_PLAY_FOR_CASH: Final = RefusalKind(
    "bots_do_not_play_for_cash", _("Practice bots do not take part in tournaments for cash.")
)
NOT_BEFORE_REGISTRATION: Final = RefusalKind(
    "registration_has_begun",
    _("Once registration is open, the terms of a tournament cannot change."),
)
TOURNAMENT_OVER: Final = RefusalKind("tournament_over", _("This tournament is over."))
TOURNAMENT_BARS_BOT_ACCOUNTS: Final = RefusalKind(
    "not_for_bot_accounts", _("BOT accounts take no part in tournaments.")
)
TOURNAMENT_BARS_API_PLAYERS: Final = RefusalKind(
    "api_players_not_allowed", _("This tournament allows no API players; enter on the site.")
)
LEAGUE_OVER: Final = RefusalKind("league_over", _("This league is over."))
NOT_IN_LEAGUE: Final = RefusalKind(
    "not_in_league", _("This player is not in this league's standings.")
)


class PrivatePairIsDone(Refusal):
    code = "pair_is_done"
    message = _(
        "You have reached the limit of chips that two players may win from each "
        "other in a day. Come back tomorrow."
    )
    naming = _(
        "You and %(name)s have reached the limit of chips that two players may win from "
        "each other in a day. Come back tomorrow."
    )

    def __init__(self, name: str = "") -> None:
        super().__init__(message=str(self.naming) % {"name": name} if name else "")


TOO_MANY_PRIVATE: Final = RefusalKind(
    "too_many_private_tournaments",
    _("You already have two tournaments for friends. Call one off, or play it first."),
)
START_OUT_OF_RANGE: Final = RefusalKind(
    "start_out_of_range", _("Choose a time in the future, four weeks ahead at most.")
)
TOURNAMENT_NAME_REFUSED: Final = RefusalKind(
    "tournament_name_refused",
    _(
        "A tournament's name has 3 to 20 characters: letters, digits, spaces and . _ - ' only, and "
        "nothing that sounds like the site's staff."
    ),
)


class NotYourTournament(Refusal):
    code = "not_your_tournament"
    message = _("Only the player who opened this tournament can do that.")


TOO_FEW_TO_START: Final = RefusalKind(
    "too_few_to_start",
    _("A tournament needs two players: wait for one more, or let bots fill it."),
)
