"""Forks processes from one that has imported the site.

A command of the Procfile that is Python runs in the fork, which shares the imported code with its parent; any other
command is executed. The parent has no thread, event loop or connection. It freezes its objects, so that garbage
collection does not write to shared memory pages.
"""

import ctypes
import gc
import importlib
import os
import pkgutil
import re
import runpy
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

# Variables with the descriptors of a listener, and of the pipe on which a process reports that it is ready.
LISTEN_FD: Final = "LISTEN_FD"
READY_FD: Final = "READY_FD"
# Signals that the parent handles.
HANDLED: Final = (
    signal.SIGCHLD,
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGUSR1,
)
SECONDS_BETWEEN_CHECKS: Final = 0.5
# Of prctl(2).
_SIGNAL_AT_PARENTS_DEATH, _SET_NAME = 1, 15
# Modules that a command with this word needs besides the site's apps. A "module:function" is called.
_CELERY: Final = (
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
_IMPORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "config.run.web": (
        "config.run.web",
        "config.sockets.websocket",
        "config.urls",
        "django.core.handlers.asgi",
        "uvicorn.lifespan.off",
        "uvicorn.protocols.http.httptools_impl",
        "uvicorn.protocols.websockets.websockets_sansio_impl",
        "uvloop",
    ),
    "clock": ("tables.management.commands.clock",),
    "config.run.jobs": (*_CELERY, "config.run.jobs"),
    "celery": _CELERY,
}


class Forked(BaseException):
    """Raised in a new process, to leave the parent's frames. The caller at the outermost level then runs `work`."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work


def fork(
    command: str,
    name: str,
    environment: Mapping[str, str],
    *,
    keeps: Collection[int] = (),
    closes: Iterable[int] = (),
    at_parents_death: signal.Signals = signal.SIGKILL,
) -> int:
    """Fork a process and return its id. In the new process, raise Forked.

    The new process closes the descriptors `closes`, and keeps those of `keeps` open when it executes its command.
    It gets the signal `at_parents_death` when its parent is killed.
    """
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    # If a signal arrived before the child has its own handlers, the parent would be told of it.
    signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        for signum in HANDLED:
            signal.signal(signum, signal.SIG_DFL)
        os.setsid()  # Ctrl-C reaches only the parent, which ends the others
        end_with_parent(parent, at_parents_death)
        _set_name(name)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)
        raise Forked(
            partial(_run, command, {**environment, "PROCESS_NAME": name}, keeps, [*closes])
        )
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)
    return pid


def end_with_parent(parent: int, signum: signal.Signals = signal.SIGKILL) -> None:
    """Have the system send this process a signal when its parent ends.

    On systems other than Linux, a thread watches for it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_AT_PARENTS_DEATH, int(signum), 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent, signum), daemon=True).start()
    if os.getppid() != parent:
        os.kill(os.getpid(), signum)


def _watch(parent: int, signum: signal.Signals) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_CHECKS)
    os.kill(os.getpid(), signum)


def _set_name(name: str) -> None:
    """Show the process under this name in `ps` and `top`. Works only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_NAME, name.encode(), 0, 0, 0)


# --- Before the fork ------------------------------------------------------------------------------


def import_site(commands: Collection[str]) -> None:
    """Import the code that these commands use.

    Raises RuntimeError if an import starts a thread, because a fork would not have it.
    """
    words = {word for command in commands for word in _split(command)}
    if not words & {"python", "celery"}:
        return
    import django  # noqa: PLC0415 - a supervisor of other commands has no use for it
    from django.urls import get_resolver  # noqa: PLC0415

    gc.disable()
    django.setup()
    for name in (name for word in _IMPORTS if word in words for name in _IMPORTS[word]):
        module, _, function = name.partition(":")
        importlib.import_module(module)
        if function:
            pkgutil.resolve_name(name)()
    if "config.run.web" in words:
        _ = get_resolver().url_patterns
    if "celery.signals" in sys.modules:
        from celery.signals import worker_process_init  # noqa: PLC0415 - where there are workers

        worker_process_init.connect(_end_with_worker)
    if threading.active_count() > 1:
        raise RuntimeError(f"{threading.enumerate()[1:]} must not be started by an import")
    gc.freeze()


def _end_with_worker(**_signal: object) -> None:
    """Let a child process of a Celery worker end if the worker is killed. Its job is delivered again."""
    end_with_parent(os.getppid())
    _set_name(f"{os.environ['PROCESS_NAME']}.pool")


# --- After the fork -------------------------------------------------------------------------------


def _run(
    command: str, environment: Mapping[str, str], keeps: Iterable[int], closes: Iterable[int]
) -> None:
    """Run a command of the Procfile in this process, with these variables added to its environment."""
    for descriptor in closes:
        os.close(descriptor)
    for descriptor in keeps:
        os.set_inheritable(descriptor, True)  # noqa: FBT003 - of the standard library
    os.environ.update(environment)
    match _apply_prefixes(_split(command)):
        case ["python", "-m", module, *arguments]:
            _become([module, *arguments])
            sys.modules.pop(module, None)  # it runs as __main__
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["python", *arguments]:
            _become(arguments)
            runpy.run_path(arguments[0], run_name="__main__")
        case _:
            os.execv("/bin/sh", ["/bin/sh", "-c", f"exec {command}"])  # noqa: S606 - our own Procfile


def _apply_prefixes(words: list[str]) -> list[str]:
    """Apply the prefixes `env` and `nice` and a final `>/dev/null` to this process. Return the remaining words.

    A `celery` command is returned as `python -m celery.__main__`.
    """
    if words[0] == "env":
        words = words[1:]
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            os.environ[name] = value
    if words[0] == "nice":  # -n NUMBER
        os.nice(int(words[2]))
        words = words[3:]
    if words[-1] == ">/dev/null":
        words = words[:-1]
        with Path(os.devnull).open("w") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
    return ["python", "-m", "celery.__main__", *words[1:]] if words[0] == "celery" else words


def _split(command: str) -> list[str]:
    """Split a command into words, and fill in each `${NAME:-default}`."""
    filled = re.sub(
        r"\$\{(\w+):-([^}]*)\}", lambda found: os.environ.get(found[1]) or found[2], command
    )
    return shlex.split(filled)


def _become(arguments: list[str]) -> None:
    """Set `sys.argv`, and load the settings again, because they depend on the arguments and on the environment."""
    sys.argv = arguments
    gc.enable()
    if "config.settings.base" not in sys.modules:
        return  # nothing has read them
    from django.conf import settings  # noqa: PLC0415 - as above
    from django.db import connections  # noqa: PLC0415
    from django.utils.log import configure_logging  # noqa: PLC0415

    own = [f"config.settings.{name}" for name in ("logs", "base", "local", "production")]
    names = [name for name in (*own, settings.SETTINGS_MODULE) if name in sys.modules]
    for module in [importlib.reload(sys.modules[name]) for name in dict.fromkeys(names)]:
        for name in filter(str.isupper, dir(module)):
            setattr(settings, name, getattr(module, name))
    connections.databases.update(connections.configure_settings(settings.DATABASES))
    for opened in connections.all(initialized_only=True):
        del connections[opened.alias]
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
