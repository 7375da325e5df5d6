"""The refusals about players, friends and clubs."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal, RefusalKind

NOT_FRIENDS: Final = RefusalKind(
    "not_friends", _("You can invite only friends: players who follow each other.")
)
NO_LEAGUE: Final = RefusalKind("no_league", _("There is no such league."))
LEAGUE_RUNS: Final = RefusalKind("league_runs", _("The club already has a league running."))
NOT_UNLOCKED: Final = RefusalKind(
    "not_unlocked", _("You have not unlocked this yet: reach its level or achievement first.")
)
TOO_MANY_PEOPLE: Final = RefusalKind(
    "too_many_people",
    _(
        "You already follow or block as many players as is allowed. Unfollow or unblock one of "
        "them first."
    ),
)
TOO_MANY_INVITATIONS: Final = RefusalKind(
    "too_many_invitations", _("You have sent many invitations today; send more tomorrow.")
)
NO_SUCH_CLUB: Final = RefusalKind("no_such_club", _("There is no such club."), status=404)
CLUB_NAME_REFUSED: Final = RefusalKind("club_name_refused", _("Choose another name for the club."))
CLUB_NAME_TAKEN: Final = RefusalKind(
    "club_name_taken",
    _("There is already a club with this name or a similar one; choose another name."),
)
ABOUT_REFUSED: Final = RefusalKind(
    "about_refused", _("Describe the club in at most 300 characters, without links.")
)
TOO_MANY_CLUBS: Final = RefusalKind(
    "too_many_clubs", _("You are already in as many clubs as a player may join. Leave one first.")
)
CLUB_IS_FULL: Final = RefusalKind("club_is_full", _("This club is full."))
TOO_MANY_ASK: Final = RefusalKind(
    "too_many_ask", _("This club already has many unanswered requests. Ask again later.")
)
ASKED_TOO_OFTEN: Final = RefusalKind(
    "asked_too_often", _("You have done this a lot lately. Try again tomorrow.")
)
LINK_NEEDED: Final = RefusalKind(
    "club_link_needed", _("People join this club by its link. Ask a member to send it to you.")
)
REMOVED_FROM_CLUB: Final = RefusalKind(
    "removed_from_club", _("You were removed from this club; only its officers can let you back.")
)
MEMBERS_ONLY: Final = RefusalKind("members_only", _("Only members of the club may do this."))
OWNER_ONLY: Final = RefusalKind("owner_only", _("Only the owner of the club may do this."))
NOT_ABOVE_YOU: Final = RefusalKind(
    "not_above_you", _("An officer decides about members, and the owner about officers.")
)
NOT_ASKED: Final = RefusalKind("not_asked", _("This person's request to join is no longer open."))
OWNER_STAYS: Final = RefusalKind(
    "owner_stays", _("You own this club: make another member the owner first, then leave.")
)


class NoEvening(Refusal):
    code = "no_evening"
    message = _("Choose a time in the next eight weeks and a kind of game that is offered.")
