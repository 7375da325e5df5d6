"""The tables in docs/machines.md are those that bench/arithmetic.py computes."""

import pytest

from bench.arithmetic import (
    MEASURED,
    SIZES_SHOWN,
    Play,
    Prices,
    count_machines,
    render_machines_table,
)
from tests.programs import ROOT


def test_the_table_of_machines_is_computed():
    text = (ROOT / "docs" / "machines.md").read_text(encoding="utf-8")
    assert render_machines_table(SIZES_SHOWN, Prices()) in text


def test_a_bill_is_cores_and_two_disks():
    of_ten_thousand = count_machines(Play(players=10_000), MEASURED)
    cores = of_ten_thousand.web + 2 * 2 + of_ten_thousand.valkey + of_ten_thousand.workers
    without_disks = of_ten_thousand.cost(Prices(core=1, gigabyte=0))
    assert without_disks == cores
    disks = of_ten_thousand.cost(Prices(core=0, gigabyte=1))
    assert disks == pytest.approx(2 * (of_ten_thousand.disk + 12 * of_ten_thousand.growth))


def test_twice_the_players_need_twice_the_cores():
    one, two = (count_machines(Play(players=n), MEASURED) for n in (500_000, 1_000_000))
    assert two.web == pytest.approx(2 * one.web, rel=0.02)
    assert two.valkey == pytest.approx(2 * one.valkey, rel=0.1)
