"""Refusals of tournaments: each has a code for programs and a sentence for people."""

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal


class TournamentNotFound(Refusal):
    status = 404
    code = "tournament_not_found"
    message = _("There is no such tournament.")


class RegistrationClosed(Refusal):
    code = "registration_closed"
    message = _("Registration for this tournament is not open.")


class AlreadyRegistered(Refusal):
    code = "already_registered"
    message = _("You are registered for this tournament already.")


class NotRegistered(Refusal):
    code = "not_registered"
    message = _("You are not registered for this tournament.")


class TooLateToWithdraw(Refusal):
    code = "too_late_to_withdraw"
    message = _("The tournament has begun: nobody can withdraw any more.")


class NoTicket(Refusal):
    code = "no_ticket"
    message = _("You have no ticket for this tournament.")


class NoRebuy(Refusal):
    code = "no_rebuy"
    message = _("You cannot pay again to come back now.")


class BotsDoNotPlayForCash(Refusal):
    code = "bots_do_not_play_for_cash"
    message = _("Practice bots do not take part in tournaments for cash.")


class NotBeforeRegistration(Refusal):
    code = "registration_has_begun"
    message = _("Once registration is open, the terms of a tournament stay as they are.")


class TournamentOver(Refusal):
    code = "tournament_over"
    message = _("This tournament is over.")


class TournamentBarsBotAccounts(Refusal):
    code = "not_for_bot_accounts"
    message = _("BOT accounts take no part in tournaments.")


class TournamentBarsApiPlayers(Refusal):
    code = "api_players_not_allowed"
    message = _("This tournament allows no API players; enter on the site.")


class LeagueOver(Refusal):
    code = "league_over"
    message = _("This league is over.")


class NotInLeague(Refusal):
    code = "not_in_league"
    message = _("This player has no place in this league.")


class PrivatePairIsDone(Refusal):
    code = "pair_is_done"
    message = _("You have played for as many chips as two may on one day. Come back tomorrow.")
    naming = _(
        "You and %(name)s have played for as many chips as two may on one day. Come back tomorrow."
    )

    def __init__(self, name: str = "") -> None:
        super().__init__(str(self.naming) % {"name": name} if name else "")


class TooManyPrivate(Refusal):
    code = "too_many_private_tournaments"
    message = _("You have two tournaments for friends already. Call one off, or play it first.")


class StartOutOfRange(Refusal):
    code = "start_out_of_range"
    message = _("Choose a time that is still to come, four weeks ahead at most.")


class TournamentNameRefused(Refusal):
    code = "tournament_name_refused"
    message = _(
        "A tournament's name has 3 to 20 characters: letters, digits, spaces and . _ - ' only, and "
        "nothing that sounds like the site's staff."
    )


class NotYourTournament(Refusal):
    code = "not_your_tournament"
    message = _("Only the player who opened this tournament can do that.")


class TooFewToStart(Refusal):
    code = "too_few_to_start"
    message = _("At least two players take part: wait for one more, or let bots fill it up.")
