"""Refusals of tournaments: each has a code for programs and a sentence for people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Refusal(Exception):  # noqa: N818 - an expected answer, not an error
    """Nothing has changed. Subclasses fix the code."""

    code = "refused"
    sentence: str | Promise = _("This cannot be done.")

    def __init__(self, sentence: str | Promise = "") -> None:
        self.sentence = sentence or self.sentence
        super().__init__(str(self.sentence))


class TournamentNotFound(Refusal):
    code = "tournament_not_found"
    sentence = _("There is no such tournament.")


class RegistrationClosed(Refusal):
    code = "registration_closed"
    sentence = _("Registration for this tournament is not open.")


class SwitchedOff(Refusal):
    code = "switched_off"
    sentence = _("This is switched off at the moment. Come back a little later.")


class AlreadyRegistered(Refusal):
    code = "already_registered"
    sentence = _("You are registered for this tournament already.")


class NotRegistered(Refusal):
    code = "not_registered"
    sentence = _("You are not registered for this tournament.")


class TooLateToWithdraw(Refusal):
    code = "too_late_to_withdraw"
    sentence = _("The tournament has begun: nobody can withdraw any more.")


class NoTicket(Refusal):
    code = "no_ticket"
    sentence = _("You have no ticket for this tournament.")


class NoRebuy(Refusal):
    code = "no_rebuy"
    sentence = _("You cannot pay again to come back now.")


class BotsDoNotPlayForCash(Refusal):
    code = "bots_do_not_play_for_cash"
    sentence = _("Practice bots do not take part in tournaments for cash.")


class NotBeforeRegistration(Refusal):
    code = "registration_has_begun"
    sentence = _("Once registration is open, the terms of a tournament stay as they are.")


class TournamentOver(Refusal):
    code = "tournament_over"
    sentence = _("This tournament is over.")


class NotForBotAccounts(Refusal):
    code = "not_for_bot_accounts"
    sentence = _("BOT accounts take no part in tournaments.")


class ApiPlayersNotAllowed(Refusal):
    code = "api_players_not_allowed"
    sentence = _("This tournament allows no API players; enter on the site.")


class LeagueOver(Refusal):
    code = "league_over"
    sentence = _("This league is over.")


class NotInLeague(Refusal):
    code = "not_in_league"
    sentence = _("This player has no place in this league.")


class PairIsDone(Refusal):
    code = "pair_is_done"
    sentence = _("You have played for as many chips as two may on one day. Come back tomorrow.")
    naming = _(
        "You and %(name)s have played for as many chips as two may on one day. Come back tomorrow."
    )

    def __init__(self, name: str = "") -> None:
        super().__init__(str(self.naming) % {"name": name} if name else "")


class TooManyPrivate(Refusal):
    code = "too_many_private_tournaments"
    sentence = _("You have two tournaments for friends already. Call one off, or play it first.")


class NotYourTournament(Refusal):
    code = "not_your_tournament"
    sentence = _("Only the player who opened this tournament can do that.")


class TooFewToStart(Refusal):
    code = "too_few_to_start"
    sentence = _("At least two players take part: wait for one more, or let bots fill it up.")
