import atexit
import gc

# Python collects garbage once more when a process ends. With the code and the caches of the games
# that takes up to a second, in which Ctrl-C and a restart wait; the system frees the memory anyway.
atexit.register(gc.freeze)

# With Python's own 700 new objects between two collections a fifth of every start is spent on them,
# though what a start makes stays. Web processes go further (config/run/web.py).
gc.set_threshold(20_000)
