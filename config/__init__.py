"""The wiring of all apps: settings, addresses, processes, and features that combine several apps.

`settings` and `run` start the site, and `urls.py` and `asgi.py` route to the apps. `account_data` combines what
several apps store about a player, `desk` what they show to staff.
"""

import atexit
import gc

# Python collects garbage once more when a process ends. With the code and the caches of the games this
# takes up to a second, for which Ctrl-C or a restart would wait; the system frees the memory anyway.
atexit.register(gc.freeze)

# With Python's default of 700 new objects between collections, a fifth of every start goes into collecting,
# though what a start creates stays alive. Web processes go further (config/run/web.py).
gc.set_threshold(20_000)
