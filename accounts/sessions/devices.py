"""Short names for the browser and system of a session. Pure."""

# The first match counts: many browsers also name those that they resemble.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_SHOWN = 60


def name_device(user_agent: str) -> str:
    """Return a name such as "Chrome, Android".

    If neither the browser nor the system is known, return the start of the user agent.
    """
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return ", ".join(part for part in (browser, system) if part) or user_agent[:_SHOWN]
