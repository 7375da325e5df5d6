import hashlib
import hmac
from itertools import islice

import pytest

from games.cards import full_deck
from games.shuffle import draw_words, shuffle, shuffle_by

SEED = bytes(range(32))


@pytest.mark.parametrize("size", [0, 16, 32, 64, 65, 200])
def test_the_stream_is_hmac_sha256_of_label_and_counter(size):
    seed = bytes(index * 7 % 256 for index in range(size))
    blocks = [
        hmac.new(seed, message, hashlib.sha256).digest() for message in (b"deal:1:0", b"deal:1:1")
    ]
    expected = [
        int.from_bytes(block[start : start + 4], "big")
        for block in blocks
        for start in range(0, 32, 4)
    ]
    assert list(islice(draw_words(seed, "deal:1"), 16)) == expected


def test_a_word_above_the_last_multiple_is_skipped():
    highest = 2**32 - 1
    assert shuffle_by([highest, 7, highest], "abc") == ("a", "c", "b")
    assert shuffle_by([highest - 1, 0], "abc") == ("b", "a", "c")


def test_fewer_than_two_items_have_one_order():
    assert shuffle_by([5], "a") == ("a",)
    assert shuffle_by([5], "") == ()


def test_a_shuffle_keeps_every_card_and_depends_on_seed_and_label():
    deck = full_deck(2)
    first = shuffle(deck, seed=SEED, label="deal:1")
    assert sorted(first) == list(deck)
    assert first == shuffle(deck, seed=SEED, label="deal:1")
    assert first != shuffle(deck, seed=SEED, label="deal:2")
    assert first != shuffle(deck, seed=bytes(32), label="deal:1")


def test_the_order_of_a_known_seed_never_changes():
    text = " ".join(str(card) for card in shuffle(full_deck(1), seed=SEED, label="deal:1")[:8])
    assert text == "3S.0 KS.0 2S.0 3C.0 JH.0 4C.0 KH.0 JS.0"


def test_every_card_is_as_likely_in_every_place():
    counts = [[0] * 4 for _ in range(4)]
    for trial in range(4000):
        order = shuffle(range(4), seed=SEED, label=str(trial))
        for place, item in enumerate(order):
            counts[item][place] += 1
    assert all(880 < count < 1120 for row in counts for count in row)
