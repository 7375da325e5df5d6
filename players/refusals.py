"""Refusals about players, friends and clubs."""

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal


class NotFriends(Refusal):
    code = "not_friends"
    message = _("Only friends are invited: players who follow each other.")


class NoLeague(Refusal):
    code = "no_league"
    message = _("There is no such league.")


class LeagueRuns(Refusal):
    code = "league_runs"
    message = _("A league of the club runs already.")


class NotUnlocked(Refusal):
    code = "not_unlocked"
    message = _("Play has not unlocked this yet.")


class TooManyPeople(Refusal):
    code = "too_many_people"
    message = _("Your list is full; take somebody off it first.")


class TooManyInvitations(Refusal):
    code = "too_many_invitations"
    message = _("You have sent many invitations today; send more tomorrow.")


class NoSuchClub(Refusal):
    status = 404
    code = "no_such_club"
    message = _("There is no such club.")


class ClubNameRefused(Refusal):
    code = "club_name_refused"
    message = _("Choose another name for the club.")


class ClubNameTaken(Refusal):
    code = "club_name_taken"
    message = _("There is a club with this name or one that looks like it; choose another one.")


class AboutRefused(Refusal):
    code = "about_refused"
    message = _("Describe the club in at most 300 characters, without links.")


class TooManyClubs(Refusal):
    code = "too_many_clubs"
    message = _("You are in as many clubs as a player may be in. Leave one first.")


class ClubIsFull(Refusal):
    code = "club_is_full"
    message = _("This club has as many members as a club may have.")


class TooManyAsk(Refusal):
    code = "too_many_ask"
    message = _("This club has many requests to answer. Ask again later.")


class AskedTooOften(Refusal):
    code = "asked_too_often"
    message = _("You have done this a lot lately. Try again tomorrow.")


class LinkNeeded(Refusal):
    code = "club_link_needed"
    message = _("People join this club by its link. Ask a member to send it to you.")


class RemovedFromClub(Refusal):
    code = "removed_from_club"
    message = _("You were removed from this club; only its officers can let you back.")


class MembersOnly(Refusal):
    code = "members_only"
    message = _("Only members of the club do this.")


class OwnerOnly(Refusal):
    code = "owner_only"
    message = _("Only the owner of the club does this.")


class NotAboveYou(Refusal):
    code = "not_above_you"
    message = _("An officer decides about members, and the owner about officers.")


class NotAsked(Refusal):
    code = "not_asked"
    message = _("This person does not ask to join any more.")


class OwnerStays(Refusal):
    code = "owner_stays"
    message = _("You own this club: make another member the owner first, then leave.")


class NoEvening(Refusal):
    code = "no_evening"
    message = _("Choose a time in the next eight weeks and a kind of game that is offered.")
