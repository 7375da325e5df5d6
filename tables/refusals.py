"""Refusals of tables: each has a code for programs and a sentence for people."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal, SwitchedOff


class TableNotFound(Refusal):
    status = 404
    code = "table_not_found"
    message = _("There is no such table.")


class TableClosed(Refusal):
    code = "table_closed"
    message = _("This table is closed; choose another one in the lobby.")


class TableClosing(Refusal):
    code = "table_closing"
    message = _("This table closes after the running match; choose another one in the lobby.")


class RemovedFromTable(Refusal):
    code = "removed_from_table"
    message = _("Our staff have removed you from this table; choose another one in the lobby.")


class BotPlaysForYou(Refusal):
    code = "bot_plays_for_you"
    message = _("A bot plays for you. Take your seat back first: press “I am back”.")


class NoGuests(Refusal):
    code = "no_guests"
    message = _("This table is for people with an account: sign in or register.")


class NameAtTheTable(Refusal):
    code = "name_at_the_table"
    message = _("Somebody at this table has a name like this; choose another one.")


class KeptApart(Refusal):
    code = "kept_apart"
    message = _(
        "Our staff keep you and somebody at this table apart; choose another one in the lobby. "
        "Ask us under Help and contact if you do not know why."
    )


class PlayRests(Refusal):
    code = "play_rests"
    message = _("No new match begins now: the site is being maintained. Come back a little later.")


class OnlyPeople(Refusal):
    code = "only_people"
    message = _("Only people can be removed; practice bots leave with the people they play with.")


class TableOutOfOrder(Refusal):
    code = "table_out_of_order"
    message = _(
        "This table is out of order. Staff have been told; what you brought and paid is safe."
    )


class TableBusy(Refusal):
    code = "table_busy"
    message = _("The table is busy; try again in a moment.")


class HelpFailed(Refusal):
    code = "help_failed"
    message = _("This cannot be answered now. Your cards are unchanged.")


class NotOutOfOrder(Refusal):
    code = "not_out_of_order"
    message = _("This table is in order again; nothing has been changed.")


class ApiPlayersNotAllowed(Refusal):
    code = "api_players_not_allowed"
    message = _("API players may not play at this table; choose one that allows them.")


class NotForBotAccounts(Refusal):
    code = "not_for_bot_accounts"
    message = _(
        "BOT accounts play for nothing: among BOTs, and at free private tables whose host lets "
        "programs play."
    )


class PlaysByToken(Refusal):
    code = "plays_by_token"
    message = _("A BOT account plays by its program, with an API token.")


class BotsOnly(Refusal):
    code = "bots_only"
    message = _("Only BOT accounts play here.")


class TooOften(Refusal):
    code = "too_often"
    message = _("This account has sat down too often within an hour. Try again later.")


class NotDeferrable(Refusal):
    code = "not_deferrable"
    message = _("This move cannot be made in advance; make it when it is your turn.")


class NoLesson(Refusal):
    code = "no_lesson"
    message = _("There is no guided deal of this game; read its rules instead.")


class NoHello(Refusal):
    code = "no_hello"
    message = _("The page has not said what it shows; open the table again.")


class NotSeated(Refusal):
    code = "not_seated"
    message = _("You do not sit at this table.")


class NotTheHost(Refusal):
    code = "not_the_host"
    message = _("Only the host of this table does that.")


class HostStarts(NotTheHost):
    message = _(
        "The host starts the match. Once the host has been away for two minutes, anybody who sits "
        "here may."
    )


class NotAllReady(Refusal):
    """`names` are the players who have yet to agree to the next match."""

    code = "not_all_ready"
    message = _("Not everybody has asked for the next match yet.")
    naming = _(
        "These players have not pressed “Play again” yet: {names}. Wait for them, or send them away "
        "under “Friends”."
    )

    def __init__(self, names: Sequence[str] = ()) -> None:
        super().__init__(str(self.naming).format(names=", ".join(map(str, names))) if names else "")


class TooFewPlayers(Refusal):
    code = "too_few_players"
    message = _("A match needs two players; wait until somebody else sits down.")


class NoPractice(Refusal):
    code = "no_practice"
    message = _("There are no practice bots at this table.")


class NotAlone(Refusal):
    code = "not_alone"
    message = _("Another person plays here, so the bots stay as they are.")


class AlreadySeated(Refusal):
    code = "already_seated"
    message = _("You sit at this table already.")


class SeatTaken(Refusal):
    code = "seat_taken"
    message = _("Somebody else has just taken this seat; choose another one.")


class DeviceIsSeated(Refusal):
    code = "device_is_seated"
    message = _(
        "Another account of your browser sits at this table, which takes one account per browser. "
        "Choose another table."
    )


class AddressIsSeated(Refusal):
    code = "address_is_seated"
    message = _(
        "Another account of your internet address sits at this table, which takes one account per "
        "address. Choose another table."
    )


class PairIsDone(Refusal):
    """`name` is the seated player's."""

    code = "pair_is_done"
    message = _("You have played for as many chips as two may on one day. Choose another table.")
    naming = _(
        "You and %(name)s have played for as many chips as two may on one day. Choose another "
        "table or come back tomorrow."
    )

    def __init__(self, name: str = "") -> None:
        super().__init__(str(self.naming) % {"name": name} if name else "")


class NoSuchSeat(Refusal):
    code = "no_such_seat"
    message = _("This table has no such seat.")


class BuyInOutOfRange(Refusal):
    code = "buy_in_out_of_range"
    message = _("Bring an amount between the least and the largest buy-in of this table.")


class TooManyTables(Refusal):
    """`tables` are the player's tables that count, with number and name."""

    code = "too_many_tables"
    message = _("You sit at as many tables as you may; leave one of them first.")
    # With the tables' names, as text or as links.
    naming = _("You sit at as many tables as you may: {tables}. Leave one of them first.")

    def __init__(self, tables: Sequence[tuple[int, str]] = ()) -> None:
        self.tables = tables
        names = ", ".join(str(name) for _id, name in tables)
        super().__init__(str(self.naming).format(tables=names) if tables else "")

    def data(self) -> Mapping[str, Any]:
        return {"tables": [{"id": number, "name": name} for number, name in self.tables]}


class InvitationNeeded(Refusal):
    code = "invitation_needed"
    message = _("This table is private: open it by the link that you were sent.")


class ClubOnly(Refusal):
    code = "club_only"
    message = _("Only members of the club sit down here. Join the club first.")


class FriendsOnly(Refusal):
    code = "friends_only"
    message = _(
        "Only friends of the host sit down here. Follow each other on the page of players, then "
        "come back."
    )


class SentAway(Refusal):
    code = "sent_away"
    message = _("The host has sent you away from this table; choose another one in the lobby.")


class NotToYou(Refusal):
    code = "not_to_you"
    message = _("Choose another player of this table.")


class ChipsOnly(Refusal):
    code = "chips_only"
    message = _("Private tables are played for chips alone.")


class StakeNotOffered(Refusal):
    code = "stake_not_offered"
    message = _("This stake is not offered now; choose another one.")


class BotsPlayForNothing(Refusal):
    code = "bots_play_for_nothing"
    message = _("At a private table bots play for nothing only; choose a free table.")


class SeatsOutOfRange(Refusal):
    """`least` and `most` are the format's numbers of players."""

    code = "seats_out_of_range"
    naming = _("This game is played by %(least)s to %(most)s.")

    def __init__(self, least: int = 0, most: int = 0) -> None:
        super().__init__(str(self.naming) % {"least": least, "most": most} if most else "")


class MorePlayersThanSeats(Refusal):
    code = "more_players_than_seats"
    message = _("More people sit at the table than these rules have seats: choose more seats.")


class StakeStays(Refusal):
    code = "stake_stays"
    message = _(
        "The game, the stake and a pace of a day for each move stay as long as a table is open. "
        "Open another table for others."
    )


class TableNameRefused(Refusal):
    code = "table_name_refused"
    message = _(
        "A table's name has 3 to 20 characters: letters, digits, spaces and . _ - ' only, and "
        "nothing that sounds like the site's staff."
    )


class SeatKept(Refusal):
    code = "seat_kept"
    message = _("The free seat is kept for somebody on the waiting list; you may join the list.")


class SeatIsFree(Refusal):
    code = "seat_is_free"
    message = _("There is a free seat: sit down.")


class MatchRunning(Refusal):
    code = "match_running"
    message = _("A match is being played here; wait for its end or choose another table.")


class SeatsAreArranged(Refusal):
    code = "seats_are_arranged"
    message = _(
        "The seats of this table are arranged: nobody else can sit down, and nobody can leave it."
    )


class ChatIsOff(Refusal):
    code = "chat_off"
    message = _("There is no chat at this table.")


class PhrasesOnly(Refusal):
    code = "phrases_only"
    message = _("Only the quick phrases can be said here.")


class Silenced(Refusal):
    """`until` is the formatted end; empty for a silence for good."""

    code = "silenced"
    message = _(
        "Our staff have silenced you for good: you may say the quick phrases only. Why, and how to "
        "object, is on the page Help and contact."
    )
    ending = _(
        "Our staff have silenced you until %(time)s: you may say the quick phrases only. Why, and "
        "how to object, is on the page Help and contact."
    )

    def __init__(self, until: str = "") -> None:
        super().__init__(str(self.ending) % {"time": until} if until else "")


class NotSanctionable(Refusal):
    code = "not_sanctionable"
    message = _("Nobody reads this: bots and closed accounts cannot be warned or silenced.")


class OwnSanction(Refusal):
    code = "own_sanction"
    message = _("This is your own account or your own silence; ask another member of staff.")


class SanctionNeedsWords(Refusal):
    code = "sanction_needs_words"
    message = _("Write what the player did, too, if the reason is something else.")


class AlreadySanctioned(Refusal):
    code = "already_sanctioned"
    message = _("This form was pressed before: it has decided once, and the player was told.")


class NotSilenced(Refusal):
    code = "not_silenced"
    message = _("This silence is over already; nothing has been changed.")


class NothingSaid(Refusal):
    code = "nothing_said"
    message = _("Write a line of at most 160 characters, without links.")


class SaidTooMuch(Refusal):
    code = "said_too_much"
    message = _("You are writing too fast; wait a few seconds.")


class NoSuchPlayer(Refusal):
    code = "no_such_player"
    message = _("This player has not been at this table with you.")


class NoSuchPerson(Refusal):
    code = "no_such_person"
    message = _("There is no such player, or you two have nothing to do with each other.")


class ClosingReasonMissing(Refusal):
    code = "reason_missing"
    message = _("Say why, in at most 200 characters.")


class SeedNotTaken(Refusal):
    code = "seed_not_taken"
    message = _("The deal has begun, or this number has been taken already.")


class NoMatch(Refusal):
    code = "no_match"
    message = _("No deal is being played at this table now.")


class StaleVersion(Refusal):
    code = "stale_version"
    message = _("The table has moved on since; look again and choose.")


class TooLate(Refusal):
    code = "too_late"
    message = _("Your time for this move has run out.")


class TooManyQuestions(Refusal):
    code = "too_many_questions"
    message = _("Too many questions are waiting; ask again in a moment.")


class HelpNotOffered(Refusal):
    code = "help_not_offered"
    message = _("This table does not offer this help.")


class TooManyReports(Refusal):
    code = "too_many_reports"
    message = _("You have reported a lot already; our staff look at it. Report again tomorrow.")


class OfficersOnly(Refusal):
    code = "officers_only"
    message = _("Only officers of the club do this.")


# Of sitting down at any table, for nothing too.
OF_SEATS: Final = (
    AddressIsSeated,
    AlreadySeated,
    ApiPlayersNotAllowed,
    DeviceIsSeated,
    KeptApart,
    PlayRests,
    RemovedFromTable,
    SeatKept,
    SwitchedOff,
    TableClosed,
    TableClosing,
    TooManyTables,
)
# Of taking a seat for a stake.
OF_STAKED_SEATS: Final = (
    *OF_SEATS,
    BuyInOutOfRange,
    MatchRunning,
    NoGuests,
    NoSuchSeat,
    NotForBotAccounts,
    PairIsDone,
    PlaysByToken,
    SeatTaken,
    SeatsAreArranged,
    TableNotFound,
    TableOutOfOrder,
)
# Of a private table that is not open to anybody.
OF_PRIVATE_TABLES: Final = (ClubOnly, FriendsOnly, InvitationNeeded, SentAway)
