"""Knock-out tournaments, shoot-outs and leagues.

`rules` decides the next step, as pure functions. `running` asks `rules` every two seconds and carries out each step in
a transaction. `registration` is about entering and withdrawing; `store` holds rows, locks and fees.
"""
