"""A process that has imported the whole site, from which a local run forks all others.

What it has imported is in memory once, and a start imports once. It opens nothing itself: no
database, no Redis, no thread. The supervisor asks it for one process after another over a socket,
and hears over it when one of them ends:

    supervisor → parent   {"kind": "web", "name": "web.1"}, with the descriptor to say ready on
    parent → supervisor   began 4711
    parent → supervisor   ended 4711 -9

Its children do not depend on it: if it is killed they go on, and the supervisor watches them as it
watches those of an earlier supervisor. If the supervisor is killed, it ends. For changed code the
supervisor lets it go and starts another one.
"""

import gc
import importlib
import json
import logging
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from config.run.roster import Orphan, birth_of
from config.run.web import LISTEN_FD, READY_FD

logger = logging.getLogger(__name__)

ROOT: Final = Path(__file__).resolve().parents[2]
CONTROL_FD: Final = "CONTROL_FD"
SECONDS_BETWEEN_CHECKS: Final = 0.1
SECONDS_TO_END: Final = 5
_LONGEST_MESSAGE: Final = 4_096


@dataclass(frozen=True, slots=True)
class Role:
    """The work of a kind of process: a function, called with these command-line arguments.

    `imports` are loaded in the warm parent, before the first process of this kind. With `says_nothing` its
    standard output, on which Celery says goodbye, is dropped; logs go to standard error.
    """

    function: str
    command: str
    imports: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    niceness: int = 0
    says_nothing: bool = False


# Workers on one machine need not exchange heartbeats every two seconds.
_CELERY: Final = (
    "celery --quiet --app config worker --without-gossip --without-heartbeat --without-mingle"
    " --loglevel warning --hostname"
)
_OF_CELERY: Final = (
    "config.celery:app.loader.import_default_modules",
    "config.celery:app.finalize",
    "celery.__main__",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.concurrency.thread",
    "celery.worker.strategy",
    "kombu.transport.redis",
)
# The Procfile's kinds with fewer processes: `jobs` does the work of worker, mailer, slow and beat.
ROLES: Final[Mapping[str, Role]] = {
    "web": Role(
        "config.run.web:serve",
        "web",
        (
            "config.sockets.websocket",
            "config.urls",
            "django.core.handlers.asgi",
            "uvicorn.lifespan.off",
            "uvicorn.protocols.http.httptools_impl",
            "uvicorn.protocols.websockets.websockets_sansio_impl",
            "uvloop",
        ),
    ),
    "clock": Role(
        "django.core.management:execute_from_command_line",
        "manage.py clock",
        ("tables.management.commands.clock",),
    ),
    # Threads share a connection pool. Unlike in a deployment nothing ends a job that takes too long, except
    # the coach's heavy jobs, which run on a child process that can be killed.
    "jobs": Role(
        "config.run.jobs:main",
        f"{_CELERY} jobs@%h --queues live,mail,slow,history --pool threads --concurrency 4",
        (*_OF_CELERY, "config.run.jobs"),
        {"DATABASE_POOL": "1", "DATABASE_POOLER_URL": "", "DATABASE_STATEMENT_MS": "0"},
        says_nothing=True,
    ),
    "coach": Role(
        "celery.__main__:main",
        f"{_CELERY} coach@%h --queues coach --concurrency 1",
        _OF_CELERY,
        {"DATABASE_POOL": "0"},
        niceness=15,
        says_nothing=True,
    ),
}


# --- The supervisor's side ------------------------------------------------------------------------


class Forked(Orphan):
    """A process that the warm parent has forked, handled like the supervisor's own child."""

    def __init__(self, process_id: int, name: str, parent: "_Parent") -> None:
        super().__init__(process_id, birth_of(process_id) or "", name)
        self._parent = parent
        self._code: int | None = None

    @property
    def returncode(self) -> int | None:
        """Return the exit status. It is unknown once the parent has ended."""
        if self._code is None:
            is_there = self._parent.listen()
            self._code = self._parent.ended.pop(self.pid, None)
            if self._code is None and not is_there:
                self._code = super().returncode
        return self._code


class WarmParent:
    """Starts the processes of ROLES. The parent itself starts with the first of them."""

    def __init__(
        self,
        environment: Mapping[str, str],
        listener: socket.socket,
        *,
        is_wanted: Callable[[], bool],
    ) -> None:
        self._environment = environment
        self._listener = listener
        self._is_wanted = is_wanted
        self._parent: _Parent | None = None

    def start(
        self, kind: str, name: str, *, ready: int | None = None
    ) -> "Forked | subprocess.Popen[bytes]":
        """Fork a process of this kind. If that fails, return the parent, which has ended."""
        if self._parent is None or not self._parent.listen():
            self.end_parent()
            self._parent = _Parent(self._environment, self._listener)
        parent = self._parent
        parent.ask({"kind": kind, "name": name}, [] if ready is None else [ready])
        # A forked process holds the socket until it has reported itself, so none is missed.
        while parent.began is None and parent.listen(SECONDS_BETWEEN_CHECKS):
            if not self._is_wanted():
                parent.process.kill()  # it forks nothing from here on
        if parent.began is not None:
            begun, parent.began = parent.began, None
            return Forked(begun, name, parent)
        self.end_parent()
        return parent.process

    def end_parent(self) -> None:
        """End the parent but not its children; the next start imports the code again."""
        if self._parent is not None:
            self._parent.end()
            self._parent = None


class _Parent:
    """The running parent, as the supervisor sees it."""

    def __init__(self, environment: Mapping[str, str], listener: socket.socket) -> None:
        self.began: int | None = None  # the process that was asked for
        self.ended: dict[int, int] = {}  # process to exit status
        self._control, other = socket.socketpair()
        self._heard = b""
        self._is_there = True
        with other:
            handed = (listener.fileno(), other.fileno())
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.run.warm_parent"],
                env={
                    **environment,
                    LISTEN_FD: str(listener.fileno()),
                    CONTROL_FD: str(other.fileno()),
                },
                cwd=ROOT,
                pass_fds=handed,
                start_new_session=True,
            )

    def ask(self, request: Mapping[str, str], descriptors: list[int]) -> None:
        with suppress(OSError):  # it has ended: `listen` says so
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)

    def listen(self, seconds: float = 0) -> bool:
        """Read the parent's messages. Return False once it has ended."""
        while self._is_there and select.select([self._control], [], [], seconds)[0]:
            try:
                said = self._control.recv(_LONGEST_MESSAGE)
            except OSError:
                said = b""
            self._is_there = bool(said)
            *lines, self._heard = (self._heard + said).split(b"\n")
            for line in lines:
                word, *numbers = line.split()
                if word == b"began":
                    self.began = int(numbers[0])
                else:
                    self.ended[int(numbers[0])] = int(numbers[1])
            seconds = 0
        return self._is_there

    def end(self) -> None:
        self._is_there = False
        self._control.close()
        try:
            self.process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# --- The parent's side ----------------------------------------------------------------------------


def main() -> None:
    control = socket.socket(fileno=int(os.environ.pop(CONTROL_FD)))
    waking, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    gc.disable()  # what is looked through is written to, and then it is in memory twice
    try:
        while asked := _await_request(control, waking):
            request, descriptors = asked
            _warm_up(ROLES[request["kind"]])
            pid = os.fork()
            if pid == 0:
                control.sendall(f"began {os.getpid()}\n".encode())
                for descriptor in (waking, woken, control.detach()):
                    os.close(descriptor)
                _become(ROLES[request["kind"]], request, descriptors)
                return
            for descriptor in descriptors:
                os.close(descriptor)
    except BrokenPipeError:
        pass  # as when there is no request any more
    os._exit(0)  # nothing is open that Python would have to close


def _await_request(control: socket.socket, waking: int) -> tuple[dict[str, str], list[int]] | None:
    """Wait for a request, and report every child that ends. Return None if the supervisor has closed the socket."""
    while True:
        readable, _, _ = select.select([control.fileno(), waking], [], [])
        if waking in readable:
            os.read(waking, _LONGEST_MESSAGE)
            _tell_of_the_dead(control)
        if control.fileno() in readable:
            said, descriptors, _, _ = socket.recv_fds(control, _LONGEST_MESSAGE, 1)
            return (json.loads(said), descriptors) if said else None


def _tell_of_the_dead(control: socket.socket) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            code = os.waitstatus_to_exitcode(ended[1])
            control.sendall(f"ended {ended[0]} {code}\n".encode())


def _warm_up(role: Role) -> None:
    """Import the modules that the role needs and that are not loaded yet."""
    import django  # noqa: PLC0415 - the supervisor's side has no use for it
    from django.apps import apps  # noqa: PLC0415
    from django.urls import get_resolver  # noqa: PLC0415

    if not apps.ready:
        django.setup()
    for name in role.imports:
        module, _, function = name.partition(":")
        importlib.import_module(module)
        if function:
            pkgutil.resolve_name(name)()
    if "config.urls" in role.imports:
        _ = get_resolver().url_patterns
    if threading.active_count() > 1:
        sys.exit(f"openrummy: {threading.enumerate()[1:]} must not be started by an import")
    gc.freeze()


def _become(role: Role, request: Mapping[str, str], descriptors: list[int]) -> None:
    """In the child: drop the parent's resources, and run the role."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.nice(role.niceness)
    if role.says_nothing:
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
    os.environ.update(role.environment, PROCESS_NAME=request["name"])
    if request["kind"] != "web":
        os.close(int(os.environ.pop(LISTEN_FD)))
    for descriptor in descriptors:
        os.environ[READY_FD] = str(descriptor)
    sys.argv = role.command.split()
    _read_settings_again()
    gc.enable()
    pkgutil.resolve_name(role.function)()


def _read_settings_again() -> None:
    """Read the environment and arguments again: this process has others than the parent."""
    from django.conf import settings  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415
    from django.utils.functional import empty  # noqa: PLC0415
    from django.utils.log import configure_logging  # noqa: PLC0415

    for name in ("config.settings.logs", "config.settings.base", settings.SETTINGS_MODULE):
        importlib.reload(sys.modules[name])
    settings._wrapped = empty  # noqa: SLF001 - so that they are read with the next access
    vars(connections).pop("settings", None)
    connections._settings = None  # type: ignore[attr-defined] # noqa: SLF001 - likewise
    for opened in connections.all(initialized_only=True):
        del connections[opened.alias]
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


if __name__ == "__main__":
    main()
