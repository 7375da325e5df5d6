"""Knock-out tournaments, shoot-outs and leagues.

`rules` decides what comes next, purely; `running` asks it every two seconds and carries the answer out, one step in a
transaction. `registration` lets people in and out, `store` holds rows, locks and fees.
"""
