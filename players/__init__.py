"""The players: their pages, friends and presence, clubs, ratings, seasons, achievements and rewards.

`ranking` updates ratings, leaderboards and achievements after each finished match of `tables`, once for each
match. `clubs` are groups with a chat, tables, a weekly evening and a league of their own.
"""
