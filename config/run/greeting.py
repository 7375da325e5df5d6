"""Creates the demo data of a local run while its processes start, and prints the address once the site answers."""

import io
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import django
from django.core.management import call_command

from config.run.preparation import print_phase, read_accounts, record_accounts


def main() -> None:
    host, port = os.environ["HOST"], os.environ["PORT"]
    address = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    accounts = _make_accounts(Path(os.environ["OPENRUMMY_VAR"]) / "prepared.json")
    with print_phase("waiting for the first answer"):
        while not _answers(f"{address}healthz"):
            time.sleep(0.1)
    sys.stdout.write(f"\n  OpenRummy is at {address}\n\n{accounts}\n  Ctrl-C stops it.\n\n")


def _make_accounts(note: Path) -> str:
    """Return the list of demo accounts as text. Creates the demo data if it is missing."""
    accounts = read_accounts(note)
    if accounts is None:
        django.setup()
        said = io.StringIO()
        with print_phase("making the demo data"):
            call_command("seed_demo", stdout=said)
        accounts = said.getvalue()
        record_accounts(note, accounts)
    return accounts


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310 - our own address
            return True
    except urllib.error.HTTPError:
        return True  # what is wrong is in its log
    except (OSError, urllib.error.URLError):
        return False


if __name__ == "__main__":
    main()
