"""docs/scaling.md holds what the arithmetic of its figures gives."""

from pathlib import Path

import pytest

from bench.arithmetic import MEASURED, Play, needs, table

ROOT = Path(__file__).resolve().parents[3]


def test_the_table_of_a_million_players_is_computed():
    text = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    assert table(1_000_000) in text


def test_twice_the_players_need_twice_the_cores():
    one, two = (dict(needs(Play(players=n), MEASURED)) for n in (500_000, 1_000_000))
    assert one.keys() == two.keys()

    def cores(told):
        return int(told["web: moves"].rpartition("= ")[2].removesuffix(" cores").replace(",", ""))

    assert cores(two) == pytest.approx(2 * cores(one), rel=0.02)
