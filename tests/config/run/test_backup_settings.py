"""deploy/backup.sh reads .env the way Docker Compose does."""

import hashlib
import os

from tests.programs import ROOT, run_program

# A line of .env and the value that Docker Compose reads there.
LINES = {
    "BACKUPS=/mnt/backups  # on the other disk": "/mnt/backups",
    "SECRET_KEY='one two'": "one two",
    "SITE_NAME=Asha's Rummy & friends": "Asha's Rummy & friends",
    'DEFAULT_FROM_EMAIL="Rummy <rummy@example.org>"': "Rummy <rummy@example.org>",
    "EMAIL_HOST_PASSWORD=a`b\\c#d": "a`b\\c#d",
    'SMS_PASSWORD="tick ` tock"': "tick ` tock",
    "RAZORPAY_KEY=$$500": "$500",
    "HOME_PAGE=${SITE_URL}/home": "https://play.example/home",
    "EMPTY=": "",
    "export EXPORTED=yes": None,
    "LAST=windows\r": "windows",
}


def print_of(key, name, value):
    digest = hashlib.sha256(f"{key}\n{name}={value}".encode())
    return f"{name} {digest.hexdigest()}"


def test_settings_are_read_like_docker_reads_them(tmp_path):
    values = {"SITE_URL": "https://play.example"}
    for line, value in LINES.items():
        if value is not None:
            values[line.partition("=")[0]] = value
    file = tmp_path / "env"
    file.write_bytes(
        "\n".join(["# of this site", "SITE_URL=https://play.example", *LINES, ""]).encode()
    )
    prints = [print_of(values["SECRET_KEY"], *one) for one in values.items()]
    (tmp_path / "settings").write_text("\n".join(sorted(prints)) + "\n")
    asked = run_program(
        str(ROOT / "deploy/backup.sh"), "settings", str(tmp_path),
        env={**os.environ, "SETTINGS": str(file), "LC_ALL": "C"},
    )  # fmt: skip
    assert (asked.stdout, asked.stderr) == ("settings: as they were\n", "")
