"""A real nginx that runs deploy/nginx.conf with a self-signed certificate."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import wait_until
from tests.ports import find_free_port
from tests.programs import ROOT

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/bin")
# From Debian's nginx package, installed or unpacked (bin/programs.sh).
MIME_TYPES = next(
    (
        path
        for folder in (Path("/"), ROOT / "var/programs/root")
        if (path := folder / "etc/nginx/mime.types").exists()
    ),
    None,
)
SECONDS_TO_START = 10


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def read_changed(path: str, changes: Iterable[tuple[str, str]]) -> str:
    """Return the text of a project file after these replacements, each of which must apply."""
    text = (ROOT / path).read_text()
    for said, here in changes:
        assert said in text, f"{path} has no {said!r}"
        text = text.replace(said, here)
    return text


@contextmanager
def run_nginx(folder: Path, changes: Iterable[tuple[str, str]], *, http: str = "") -> Iterator[int]:
    """Run the shipped configuration with these changes, after the `http` directives. Yield its TLS port."""
    assert NGINX is not None, "there is no nginx on this machine (Debian: nginx-light)"
    plain, port = find_free_port(), find_free_port()
    subprocess.run(
        ["openssl", "req",  # noqa: S607 - the PATH's
         "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
         "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem", "-days", "2"],
        check=True, capture_output=True,
    )  # fmt: skip
    own = [
        *changes,
        ("/etc/nginx/certificates", str(folder)),
        (":80;", f":{plain};"),
        ("listen 80;", f"listen {plain};"),
        ("443 ssl", f"{port} ssl"),
        ("http2 on;", ""),  # nginx before 1.25.1
        ("/var/log/nginx/access.log", str(folder / "access.log")),
        ("root /srv;", f"root {folder};"),
    ]
    (folder / "site.conf").write_text(read_changed("deploy/nginx.conf", own))
    # Only root may read the folder.
    user = "user root; " if os.geteuid() == 0 else ""
    log = folder / "nginx.log"
    # The default folders belong to nginx's package, which may not be installed.
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"{user}daemon off; pid {folder}/nginx.pid; error_log {log};\n"
        "events { worker_connections 4096; }\n"
        f"http {{ include {MIME_TYPES}; access_log off; {http}\n{temporary}\n"
        f"include {folder}/site.conf; }}\n"
    )
    with log.open("a") as said:
        running = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=said)
    try:
        wait_until(lambda: listens(port), SECONDS_TO_START, log.read_text)
        yield port
    finally:
        running.terminate()
        running.wait(10)
