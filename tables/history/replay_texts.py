"""The words of the page of a replay, beside those of the table (tables/page/texts.py)."""

from django.utils.translation import gettext as _

from tables.page.texts import table_texts


def replay_texts(game: str) -> dict[str, str]:
    return {
        **table_texts(game),
        "replay_position": _("Move {number} of {count}"),
        "replay_drew": _("{name} drew the {card} from the closed deck."),
        "replay_hand": _("Cards of {name}"),
        "replay_closed_hand": _("{count} closed cards"),
        "replay_closed_hand_one": _("{count} closed card"),
        "replay_at_turn": _("at turn"),
    }
