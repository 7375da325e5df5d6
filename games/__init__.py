"""The rules of the six games, their bots and analyses: pure Python, without a clock, a database or Django.

`engine` holds the course of a match, which is the same for every game, the interface that tables call, and the guard
around it. Each game has `rules`, `view.py`, `words.py`, `bots`, `lab` and `guide.py`; `registry.py` lists the games.
"""
