"""Refusals by tables. Each has a code for programs and a sentence for people."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from core.refusals import SWITCHED_OFF, Refusal, RefusalKind


class TableNotFound(Refusal):
    status = 404
    code = "table_not_found"
    message = _("There is no such table.")


TABLE_CLOSED: Final = RefusalKind(
    "table_closed", _("This table is closed; choose another one in the lobby.")
)
TABLE_CLOSING: Final = RefusalKind(
    "table_closing",
    _("This table closes after the current match; choose another one in the lobby."),
)
REMOVED_FROM_TABLE: Final = RefusalKind(
    "removed_from_table",
    _("Our staff have removed you from this table; choose another one in the lobby."),
)
BOT_PLAYS_FOR_YOU: Final = RefusalKind(
    "bot_plays_for_you", _("A bot plays for you. Take your seat back first: press “I am back”.")
)
NO_GUESTS: Final = RefusalKind(
    "no_guests", _("This table is for people with an account: sign in or register.")
)
NAME_AT_THE_TABLE: Final = RefusalKind(
    "name_at_the_table", _("Somebody at this table has a similar name; choose another one.")
)
KEPT_APART: Final = RefusalKind(
    "kept_apart",
    _(
        "Our staff keep you and a player at this table apart; choose another table in "
        "the lobby. If you do not know why, ask us under Help and contact."
    ),
)
PLAY_RESTS: Final = RefusalKind(
    "play_rests",
    _("No new match begins now: the site is being maintained. Come back a little later."),
)
ONLY_PEOPLE: Final = RefusalKind(
    "only_people",
    _("Only people can be removed; practice bots leave with the people they play with."),
)
TABLE_OUT_OF_ORDER: Final = RefusalKind(
    "table_out_of_order",
    _("This table is out of order. Staff have been told; what you brought and paid is safe."),
)
TABLE_BUSY: Final = RefusalKind("table_busy", _("The table is busy; try again in a moment."))
HELP_FAILED: Final = RefusalKind(
    "help_failed", _("Help is not available at the moment. Your cards are unchanged.")
)
NOT_OUT_OF_ORDER: Final = RefusalKind(
    "not_out_of_order", _("This table is in order again; nothing has been changed.")
)
API_PLAYERS_NOT_ALLOWED: Final = RefusalKind(
    "api_players_not_allowed",
    _("API players may not play at this table; choose one that allows them."),
)
NOT_FOR_BOT_ACCOUNTS: Final = RefusalKind(
    "not_for_bot_accounts",
    _(
        "BOT accounts play only where nothing is at stake: among BOTs, and at free "
        "private tables whose host allows programs."
    ),
)
PLAYS_BY_TOKEN: Final = RefusalKind(
    "plays_by_token", _("A BOT account is played by its program, with an API token.")
)
BOTS_ONLY: Final = RefusalKind("bots_only", _("Only BOT accounts play here."))
TOO_OFTEN: Final = RefusalKind(
    "too_often", _("This account has sat down too often within an hour. Try again later.")
)
NOT_DEFERRABLE: Final = RefusalKind(
    "not_deferrable", _("This move cannot be made in advance; make it when it is your turn.")
)
NO_LESSON: Final = RefusalKind(
    "no_lesson", _("There is no guided deal of this game; read its rules instead.")
)
NO_HELLO: Final = RefusalKind(
    "no_hello", _("This page is not connected to the table yet; open the table again.")
)


class NotSeated(Refusal):
    code = "not_seated"
    message = _("You do not sit at this table.")


# The API describes a code by its last kind, so the general one stands after this one.
HOST_STARTS: Final = RefusalKind(
    "not_the_host",
    _(
        "Only the host may start the match. Once the host has been away for two minutes, "
        "anybody who sits here may."
    ),
)
NOT_THE_HOST: Final = RefusalKind(HOST_STARTS.code, _("Only the host of this table may do that."))


class NotAllReady(Refusal):
    """Some players have not agreed to the next match yet. `names` holds their names."""

    code = "not_all_ready"
    message = _("Not everybody has asked for the next match yet.")
    naming = _(
        "These players have not pressed “Play again” yet: {names}. Wait for them, or send them "
        "away under “Friends”."
    )

    def __init__(self, names: Sequence[str] = ()) -> None:
        super().__init__(
            message=str(self.naming).format(names=", ".join(map(str, names))) if names else ""
        )


TOO_FEW_PLAYERS: Final = RefusalKind(
    "too_few_players", _("A match needs two players; wait until somebody else sits down.")
)


class NoPractice(Refusal):
    code = "no_practice"
    message = _("There are no practice bots at this table.")


class NotAlone(Refusal):
    code = "not_alone"
    message = _("Another person plays here, so the bots stay as they are.")


ALREADY_SEATED: Final = RefusalKind("already_seated", _("You sit at this table already."))
SEAT_TAKEN: Final = RefusalKind(
    "seat_taken", _("Somebody else has just taken this seat; choose another one.")
)
DEVICE_IS_SEATED: Final = RefusalKind(
    "device_is_seated",
    _(
        "Another account of your browser sits at this table, which takes one account per browser. "
        "Choose another table."
    ),
)
ADDRESS_IS_SEATED: Final = RefusalKind(
    "address_is_seated",
    _(
        "Another account of your internet address sits at this table, which takes one account per "
        "address. Choose another table."
    ),
)


class PairIsDone(Refusal):
    """The player or a seated player has won the daily limit of chips from the other. `name` is the seated player's."""

    code = "pair_is_done"
    message = _(
        "You have reached the limit of chips that two players may win from each "
        "other in a day. Choose another table."
    )
    naming = _(
        "You and %(name)s have reached the limit of chips that two players may win from "
        "each other in a day. Choose another table or come back tomorrow."
    )

    def __init__(self, name: str = "") -> None:
        super().__init__(message=str(self.naming) % {"name": name} if name else "")


NO_SUCH_SEAT: Final = RefusalKind("no_such_seat", _("This table has no such seat."))
BUY_IN_OUT_OF_RANGE: Final = RefusalKind(
    "buy_in_out_of_range",
    _("Bring an amount between the minimum and the maximum buy-in of this table."),
)


class TooManyTables(Refusal):
    """The player sits at too many tables. `tables` holds the id and name of each of these tables."""

    code = "too_many_tables"
    message = _("You already sit at as many tables as are allowed; leave one of them first.")
    # With the tables' names, as text or as links.
    naming = _(
        "You already sit at as many tables as are allowed: {tables}. Leave one of them first."
    )

    def __init__(self, tables: Sequence[tuple[int, str]] = ()) -> None:
        self.tables = tables
        names = ", ".join(str(name) for _id, name in tables)
        super().__init__(message=str(self.naming).format(tables=names) if tables else "")

    def data(self) -> Mapping[str, Any]:
        return {"tables": [{"id": number, "name": name} for number, name in self.tables]}


class InvitationNeeded(Refusal):
    code = "invitation_needed"
    message = _("This table is private: open it with the link that you were sent.")


CLUB_ONLY: Final = RefusalKind(
    "club_only", _("Only members of the club may sit down here. Join the club first.")
)
FRIENDS_ONLY: Final = RefusalKind(
    "friends_only",
    _(
        "Only friends of the host may sit down here. Follow each other on the Friends "
        "page, then come back."
    ),
)
SENT_AWAY: Final = RefusalKind(
    "sent_away", _("The host has sent you away from this table; choose another one in the lobby.")
)
NOT_TO_YOU: Final = RefusalKind("not_to_you", _("Choose another player of this table."))
CHIPS_ONLY: Final = RefusalKind("chips_only", _("Private tables are played for chips only."))
STAKE_NOT_OFFERED: Final = RefusalKind(
    "stake_not_offered", _("This stake is not offered now; choose another one.")
)
BOTS_PLAY_FOR_NOTHING: Final = RefusalKind(
    "bots_play_for_nothing",
    _("At a private table, bots play only when nothing is at stake; choose a free table."),
)


class SeatsOutOfRange(Refusal):
    """The format does not allow this number of players. `least` and `most` are its limits."""

    code = "seats_out_of_range"
    naming = _("This game is for %(least)s to %(most)s players.")

    def __init__(self, least: int = 0, most: int = 0) -> None:
        super().__init__(message=str(self.naming) % {"least": least, "most": most} if most else "")


MORE_PLAYERS_THAN_SEATS: Final = RefusalKind(
    "more_players_than_seats",
    _("More people sit at the table than these rules have seats for: choose more seats."),
)
STAKE_STAYS: Final = RefusalKind(
    "stake_stays",
    _(
        "The game, the stake and a pace of a day for each move cannot change while a "
        "table is open. To change them, open another table."
    ),
)
TABLE_NAME_REFUSED: Final = RefusalKind(
    "table_name_refused",
    _(
        "A table's name has 3 to 20 characters: letters, digits, spaces and . _ - ' only, and "
        "nothing that sounds like the site's staff."
    ),
)
SEAT_KEPT: Final = RefusalKind(
    "seat_kept", _("The free seat is kept for somebody on the waiting list; you may join the list.")
)
SEAT_IS_FREE: Final = RefusalKind("seat_is_free", _("There is a free seat: sit down."))
MATCH_RUNNING: Final = RefusalKind(
    "match_running", _("A match is being played here; wait for its end or choose another table.")
)
SEATS_ARE_ARRANGED: Final = RefusalKind(
    "seats_are_arranged",
    _(
        "The seats at this table are assigned: nobody else can sit down, and nobody can leave "
        "the table."
    ),
)
CHAT_IS_OFF: Final = RefusalKind("chat_off", _("There is no chat at this table."))
PHRASES_ONLY: Final = RefusalKind("phrases_only", _("Only the quick phrases can be sent here."))


class Silenced(Refusal):
    """The player may not write free text. `until` is the formatted end; empty for a permanent silence."""

    code = "silenced"
    message = _(
        "Our staff have silenced you for good: you may say only the quick phrases. The "
        "page Help and contact says why, and how to object."
    )
    ending = _(
        "Our staff have silenced you until %(time)s: you may say only the quick phrases. "
        "The page Help and contact says why, and how to object."
    )

    def __init__(self, until: str = "") -> None:
        super().__init__(message=str(self.ending) % {"time": until} if until else "")


NOT_SANCTIONABLE: Final = RefusalKind(
    "not_sanctionable",
    _("Bots and closed accounts cannot be warned or silenced: nobody would read the message."),
)
OWN_SANCTION: Final = RefusalKind(
    "own_sanction", _("You cannot decide about yourself; ask another member of staff.")
)
SANCTION_NEEDS_WORDS: Final = RefusalKind(
    "sanction_needs_words", _("If the reason is something else, also write what the player did.")
)


class AlreadySanctioned(Refusal):
    code = "already_sanctioned"
    message = _("This form was already sent: the decision was made once, and the player was told.")


NOT_SILENCED: Final = RefusalKind(
    "not_silenced", _("This silence is already over; nothing was changed.")
)
NOTHING_SAID: Final = RefusalKind(
    "nothing_said", _("Write a line of at most 160 characters, without links.")
)
SAID_TOO_MUCH: Final = RefusalKind(
    "said_too_much", _("You are writing too fast; wait a few seconds.")
)
NO_SUCH_PLAYER: Final = RefusalKind(
    "no_such_player", _("This player has not been at this table with you.")
)
NO_SUCH_PERSON: Final = RefusalKind(
    "no_such_person", _("There is no such player, or this player is not available to you.")
)
CLOSING_REASON_MISSING: Final = RefusalKind(
    "reason_missing", _("Say why, in at most 200 characters.")
)
SEED_NOT_TAKEN: Final = RefusalKind(
    "seed_not_taken", _("The deal has begun, or your number has been accepted already.")
)
NO_MATCH: Final = RefusalKind("no_match", _("No deal is being played at this table now."))
STALE_VERSION: Final = RefusalKind(
    "stale_version", _("The table has changed in the meantime. Look at it again before you choose.")
)
TOO_LATE: Final = RefusalKind("too_late", _("Your time for this move has run out."))
TOO_MANY_QUESTIONS: Final = RefusalKind(
    "too_many_questions", _("You are asking for help too quickly; ask again in a moment.")
)
HELP_NOT_OFFERED: Final = RefusalKind("help_not_offered", _("This table does not offer this help."))
TOO_MANY_REPORTS: Final = RefusalKind(
    "too_many_reports",
    _(
        "You have reported a lot already; our staff are looking at your reports. You can "
        "report again tomorrow."
    ),
)
OFFICERS_ONLY: Final = RefusalKind("officers_only", _("Only officers of the club may do this."))


# Refusals of sitting down at any table, even a free one.
OF_SEATS: Final = (
    ADDRESS_IS_SEATED,
    ALREADY_SEATED,
    API_PLAYERS_NOT_ALLOWED,
    DEVICE_IS_SEATED,
    KEPT_APART,
    PLAY_RESTS,
    REMOVED_FROM_TABLE,
    SEAT_KEPT,
    SWITCHED_OFF,
    TABLE_CLOSED,
    TABLE_CLOSING,
    TooManyTables,
)
# Refusals of taking a seat for a stake.
OF_STAKED_SEATS: Final = (
    *OF_SEATS,
    BUY_IN_OUT_OF_RANGE,
    MATCH_RUNNING,
    NO_GUESTS,
    NO_SUCH_SEAT,
    NOT_FOR_BOT_ACCOUNTS,
    PairIsDone,
    PLAYS_BY_TOKEN,
    SEAT_TAKEN,
    SEATS_ARE_ARRANGED,
    TableNotFound,
    TABLE_OUT_OF_ORDER,
)
# Refusals of coming to a private table that not everybody may join.
OF_PRIVATE_TABLES: Final = (CLUB_ONLY, FRIENDS_ONLY, InvitationNeeded, SENT_AWAY)
