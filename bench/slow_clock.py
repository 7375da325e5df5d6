"""A clock process whose every act takes so many milliseconds more: `slow_clock.py clock 100`."""

import asyncio
import sys
import time

import django

django.setup()

import tables.live.clock
from tables.live.clock import act_on_table
from tables.play.change import Change


def slowly(table_id: int) -> Change | None:
    time.sleep(int(sys.argv[2]) / 1000)
    return act_on_table(table_id)


vars(tables.live.clock)["act_on_table"] = slowly
asyncio.run(tables.live.clock.Clock().run())
