"""The key of a local run by which push services know it: made once, kept with its other files."""

from pathlib import Path

from accounts.push.web_push import new_private_key


def push_key(var: Path) -> str:
    """The key in `var`; browsers that have subscribed know it, so it must stay the same."""
    file = var / "push-key"
    if not file.exists():
        written = file.with_suffix(".new")
        written.touch(mode=0o600)
        written.write_text(new_private_key())
        written.replace(file)
    return file.read_text()
