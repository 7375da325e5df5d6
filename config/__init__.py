import atexit
import gc

# Python collects garbage once more when a process ends. With the code and the caches of the games
# that takes up to a second, in which Ctrl-C and a restart wait; the system frees the memory anyway.
atexit.register(gc.freeze)
