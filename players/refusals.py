"""Refusals about players, friends and clubs."""

from django.utils.translation import gettext_lazy as _

from tables.refusals import Refusal


class NotFriends(Refusal):
    code = "not_friends"
    sentence = _("Only friends are invited: players who follow each other.")


class NoLeague(Refusal):
    code = "no_league"
    sentence = _("There is no such league.")


class LeagueRuns(Refusal):
    code = "league_runs"
    sentence = _("A league of the club runs already.")


class NotUnlocked(Refusal):
    code = "not_unlocked"
    sentence = _("Play has not unlocked this yet.")


class TooManyPeople(Refusal):
    code = "too_many_people"
    sentence = _("Your list is full; take somebody off it first.")


class TooManyInvitations(Refusal):
    code = "too_many_invitations"
    sentence = _("You have sent many invitations today; send more tomorrow.")


class NoSuchClub(Refusal):
    code = "no_such_club"
    sentence = _("There is no such club.")


class ClubNameRefused(Refusal):
    code = "club_name_refused"
    sentence = _("Choose another name for the club.")


class ClubNameTaken(Refusal):
    code = "club_name_taken"
    sentence = _("There is a club with this name or one that looks like it; choose another one.")


class AboutRefused(Refusal):
    code = "about_refused"
    sentence = _("Describe the club in at most 300 characters, without links.")


class TooManyClubs(Refusal):
    code = "too_many_clubs"
    sentence = _("You are in as many clubs as a player may be in. Leave one first.")


class ClubIsFull(Refusal):
    code = "club_is_full"
    sentence = _("This club has as many members as a club may have.")


class TooManyAsk(Refusal):
    code = "too_many_ask"
    sentence = _("This club has many requests to answer. Ask again later.")


class AskedTooOften(Refusal):
    code = "asked_too_often"
    sentence = _("You have done this a lot lately. Try again tomorrow.")


class LinkNeeded(Refusal):
    code = "club_link_needed"
    sentence = _("People join this club by its link. Ask a member to send it to you.")


class RemovedFromClub(Refusal):
    code = "removed_from_club"
    sentence = _("You were removed from this club; only its officers can let you back.")


class MembersOnly(Refusal):
    code = "members_only"
    sentence = _("Only members of the club do this.")


class OwnerOnly(Refusal):
    code = "owner_only"
    sentence = _("Only the owner of the club does this.")


class NotAboveYou(Refusal):
    code = "not_above_you"
    sentence = _("An officer decides about members, and the owner about officers.")


class NotAsked(Refusal):
    code = "not_asked"
    sentence = _("This person does not ask to join any more.")


class OwnerStays(Refusal):
    code = "owner_stays"
    sentence = _("You own this club: make another member the owner first, then leave.")


class NoEvening(Refusal):
    code = "no_evening"
    sentence = _("Choose a day, a time and a kind of game that is offered.")
