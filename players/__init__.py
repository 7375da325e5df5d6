"""People who play: their pages, friends and presence, clubs, ratings, seasons, achievements and rewards.

`ranking` computes what a finished match of `tables` does to its players, and notes that it is counted; `clubs` are
groups with a chat, tables, an evening and a league of their own.
"""
