"""The texts of the table page, which the browser inserts; a game adds its own (`Game.texts`).

The browser fills in `{name}`. If a number decides the form, the key gets the suffix `_one` or `_other`, by the
browser's plural rules.
"""

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games.registry import get_game
from tables.catalog import place_text, translate
from tables.chat.moderation import PHRASES


def table_texts(
    game: str, *, learns: bool = False, is_slow: bool = False, pays_points: bool = False
) -> dict[str, str]:
    """Return the texts of the table page: those of any table, those of its game, and with `learns` the coach's.

    With `pays_points` each deal is a match, so players are asked after each deal.
    """
    return {
        "language": get_language() or "en",
        **card_texts(),
        **_names(),
        **_points(),
        **_standing(),
        **_notices(),
        **_events(),
        **_questions(),
        **_matches(max(format.seats[-1] for format in get_game(game).formats)),
        **{
            key: translate(text)
            for key, text in get_game(game).words.texts.items()
            if learns or not key.startswith("coach_")
        },
        **(_slow(pays_points=pays_points) if is_slow else {}),
    }


def _names() -> dict[str, str]:
    """Return the name patterns of bots and guests (accounts/names.py)."""
    return {
        "named_bot": _("%(name)s (bot)") % {"name": "{name}"},
        "named_guest": _("Guest %(number)s") % {"number": "{number}"},
    }


def _slow(*, pays_points: bool) -> dict[str, str]:
    """Return the texts that replace the usual ones in a slow game."""
    next_match = _("Next match when all who stay have asked for it, in {time} at the latest")
    next_deal = _("Next deal when all have seen the result, in {time} at the latest")
    asked = _("The next match begins when all who stay have asked for it")
    return {
        "next_deal": next_match if pays_points else next_deal,
        "next_match": next_match,
        "next_host": asked,
        "next_start": asked,
    }


def card_texts() -> dict[str, str]:
    """Return the names of cards."""
    return {
        "card": _("{rank} of {suit}"),
        # A separate text, because in some languages grammar treats the queen differently from the other
        # ranks.
        "card_queen": _("queen of {suit}"),
        "card_wild": _("{card} (wild)"),
        "printed_joker": _("joker"),
        "rank_A": _("ace"),
        "rank_2": "2",
        "rank_3": "3",
        "rank_4": "4",
        "rank_5": "5",
        "rank_6": "6",
        "rank_7": "7",
        "rank_8": "8",
        "rank_9": "9",
        "rank_T": "10",
        "rank_J": _("jack"),
        "rank_K": _("king"),
        "suit_S": _("spades"),
        "suit_H": _("hearts"),
        "suit_D": _("diamonds"),
        "suit_C": _("clubs"),
    }


def _points() -> dict[str, str]:
    return {
        "group_loose": pgettext("points of a group", "{points} pts"),
        "group_loose_one": pgettext("points of a group", "{points} pt"),
        "points": _("{points} points"),
        "points_one": _("{points} point"),
    }


def _standing() -> dict[str, str]:
    return {
        "stakes": _("{value} a point · service fee {rate}"),
        "stakes_free": _("{value} a point"),
        "played_free": _("Free: nothing is at stake"),
        "you": _("(you)"),
        "bot": _("bot"),
        "guest": _("(guest)"),
        "dealer": _("Dealer"),
        "empty_seat": _("Empty seat"),
        "sit_here": _("Sit here"),
        "status_waiting": _("next deal"),
        "status_away": pgettext("a player without an open page", "away"),
        "status_elsewhere": _("on another page"),
        "status_leaving": _("leaving"),
        "status_stand_in": pgettext("a seat whose player has gone", "a bot plays"),
        "taken_over_title": _("This table is open somewhere else"),
        "taken_over_text": _(
            "You are playing in the tab, or on the device, where you opened it last."
        ),
        "taken_over_here": _("Play here"),
        "chat_unread": _("{count} new"),
        "player_missing": _("Nobody sits at this seat any more."),
        "rating_of": _("Rating {rating}"),
        "player_of": _("About {name}"),
        **{f"chat_{phrase.code}": str(phrase.words) for phrase in PHRASES},
        "net_online": _("Connected"),
        "net_syncing": _("Catching up…"),
        "net_connecting": _("Connecting…"),
        "net_offline": _("No connection, trying again…"),
        "extra_time": "+{time}",
        "time_until": _("until {time}"),
        "extra_begins": _("Your extra time is running."),
        "seconds_left": _("{seconds} seconds left"),
    }


def _notices() -> dict[str, str]:
    return {
        "your_turn": _("Your turn"),
        "notice_played_for": _("A bot plays for you."),
        "notice_sending": _("Sending your move…"),
        "notice_starting": _("The deal begins in {time}"),
        "notice_sit": _("Take a seat to play"),
        "notice_out_of_order": _(
            "This table is out of order. Staff have been told; what you brought and paid is safe."
        ),
        "notice_event_over": _(
            "Play at this table is over. Players who advance are taken to the next one."
        ),
        "notice_closed": _("This table is closed."),
        "notice_waiting": _("Waiting for another player"),
        "notice_company": _("{here} of {seats} are here: waiting for the others"),
        "notice_hidden": _("A match is being played, and this table does not allow watchers."),
        "notice_start": _("Press Start when all your friends are here"),
        "notice_host": _("{name} starts the match when all are here"),
        "next_deal": _("Next deal in {time}"),
        "next_match": _("Next match in {time}"),
        "next_asked": _("The next deal waits until you ask for it"),
        "next_host": _("{name} starts the next match when all are ready"),
        "next_start": _("Press Start when all are ready for the next match"),
    }


def _events() -> dict[str, str]:
    return {
        "event_dealt": _("The cards are dealt."),
        "event_left": _("{name} left."),
        "event_left_own": _("You left."),
        "event_deal_over": _("The deal goes to {names}."),
        "event_deal_over_own": _("You win the deal."),
    }


def _questions() -> dict[str, str]:
    return {
        "chips": _("{amount} chips"),
        "chips_one": _("{amount} chip"),
        "leave_confirm": pgettext("button", "Leave"),
        "leave_title": _("Leave the table?"),
        "leave_free": _("You can come back as long as there is a free seat."),
        "leave_to_bot": _(
            "A bot plays on for you. You can take your seat back until the match ends."
        ),
        "leave_free_playing": _("You are in a deal: if you leave now, you lose it."),
        "sit_free": _(
            "This table is free: you bring no chips, and points are only counted, not paid for."
        ),
        "sit_least": _("At least {least}."),
        "sit_help": _("At least {least}; you can bring up to {purse}."),
        "sit_entry": _("The entry fee of a match is {least}; you can bring up to {purse}."),
        "sit_for": _("Sit down for {price}"),
        "sit_too_little": _("This table asks for at least {least}; you can bring only {purse}."),
        "sit_fee": _("The winner of a deal pays a service fee of {rate}."),
        "sit_fee_match": _("The prize is all entry fees less a service fee of {rate}."),
    }


def _matches(most_seats: int) -> dict[str, str]:
    return {
        "how_won": _("winner"),
        "result_match": _("The match goes to {names}"),
        "result_match_won": _("You win the match"),
        "result_match_shared": _("You share the prize"),
        "result_match_lost": _("You lose the match"),
        "result_place": _("You finish {place} of {players}"),
        "result_out": _("You are out: {place} of {players}"),
        "result_lost": _("You lose {points} points"),
        "result_lost_one": _("You lose {points} point"),
        **{f"place_{place}": place_text(place) for place in range(1, most_seats + 1)},
        "result_you": _("You"),
        "result_pot": _("Pot {gross}, service fee {rate}: {rake}, to {names}: {net}."),
        "result_pot_free": _("Pot {gross}, without a service fee, to {names}."),
        "result_stand_ins": _("A bot has played for: {names}."),
        "result_pot_you": pgettext("to whom the pot goes", "you"),
        "again": _("Play again"),
        "again_deal": _("Next deal"),
        "again_for": _("Play again: {price}"),
        "again_you": pgettext("in a list of names", "you"),
        "again_asked": _("Playing again: {names}."),
        "again_awaited": _("Still to answer: {names}."),
        "event_bot_took_over": _("A bot plays on for {name}."),
        "event_bot_took_over_own": _("A bot plays on for you."),
        "event_came_back": _("{name} is back."),
        "event_came_back_own": _("You are back."),
        "event_plays_again": _("{name} plays again."),
        "event_plays_again_own": _("You play again."),
        "entry": _("Entry {fee}"),
        "prize": _("prize {prize}"),
        "event_match_cancelled": _("Our staff have cancelled this match; fees are paid back."),
        "event_fee_changed": _(
            "From the next deal on, the service fee is {rate}. If you leave before it "
            "begins, you pay nothing."
        ),
        "event_fee_changed_match": _(
            "From the next match on, the service fee is {rate}. If you leave before it "
            "begins, you pay nothing."
        ),
        "event_closed": _("This table is closed."),
        "event_resting": _(
            "Maintenance: no new match begins now. Your stack is safe; you may leave."
        ),
        "event_rest_announced": _(
            "From {time} no new match begins; this one is played to the end."
        ),
        "event_closing": _("Our staff will close this table after the current match."),
        "event_match_over": _("The match goes to {names}."),
        "event_match_over_own": _("You win the match."),
    }


def replay_texts(game: str) -> dict[str, str]:
    """Return the texts of a replay page, including those of the table page."""
    return {
        **table_texts(game),
        "replay_position": _("Move {number} of {count}"),
        "replay_drew": _("{name} drew the {card} from the closed deck."),
        "replay_hand": _("Cards of {name}"),
        "replay_closed_hand": _("{count} closed cards"),
        "replay_closed_hand_one": _("{count} closed card"),
        "replay_at_turn": _("to move"),
    }
