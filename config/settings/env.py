"""Reads settings from the environment, typed and with clear errors.

A variable NAME_FILE may name a file with the secret, as containers and systemd provide them:
SECRET_KEY_FILE=/run/secrets/secret_key. (django-environ supports that, too, but takes a value that begins with `$`
for the name of another variable, and passwords may begin so.)
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict


def text(name: str, default: str = "") -> str:
    """Return the variable, or else the content of the file that NAME_FILE names, without the final line break.

    Raises ImproperlyConfigured if both are set, or if the file cannot be read.
    """
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return os.environ.get(name, default)
    if os.environ.get(name):
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set; set one of them.")
    try:
        return Path(path).read_text().removesuffix("\n")
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error


def build_contact(site_url: str) -> str:
    """Return a contact address at the site's host.

    Without a real host name, as in a local run, it is at example.com.
    """
    host = urlsplit(site_url).hostname or ""
    is_real = (
        "." in host and not host.endswith(".localhost") and not host.rpartition(".")[2].isdigit()
    )
    return f"mailto:webmaster@{host if is_real else 'example.com'}"


def flag(name: str, *, default: bool) -> bool:
    value = text(name).strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return default


def number(name: str, default: int) -> int:
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None


def words(name: str) -> list[str]:
    """Return the words of a comma-separated list."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def hosts(name: str) -> list[str]:
    """Return a list of host names, as Django compares them. Raises ImproperlyConfigured if one has a scheme or port."""
    found = words(name)
    for one in found:
        if "/" in one or ":" in re.sub(r"\[.*\]", "", one):
            raise ImproperlyConfigured(
                f"{name} takes host names such as play.example, not {one!r}."
            )
    return found


def origins(name: str) -> list[str]:
    """Return a list of origins as browsers send them. Removes the final slash, which copied addresses have."""
    found = [one.rstrip("/") for one in words(name)]
    for one in found:
        if "/" in one.partition("://")[2]:
            raise ImproperlyConfigured(
                f"{name} takes origins such as https://play.example, not {one!r}."
            )
    return found


def choices(name: str, offered: Mapping[str, Any], *, always: str) -> list[str]:
    """Return the chosen keys of `offered`, in the order of `offered`, or all of them if the variable is empty.

    The key `always` is always included. Raises ImproperlyConfigured for a key that is not offered.
    """
    chosen = words(name) or list(offered)
    for word in chosen:
        if word not in offered:
            raise ImproperlyConfigured(f"{name} knows {', '.join(offered)}, not {word!r}.")
    return [word for word in offered if word in chosen or word == always]


def choose(name: str, offered: Sequence[str]) -> str:
    """Return the variable's value, or the first of `offered` if it is empty.

    Raises ImproperlyConfigured for a value that is not offered.
    """
    value = text(name) or offered[0]
    if value not in offered:
        raise ImproperlyConfigured(f"{name} knows {', '.join(offered)}, not {value!r}.")
    return value


def read_prefixed(prefix: str) -> dict[str, str]:
    """Return all variables with this prefix, as a mapping from the rest of the name to the value.

    NAME_FILE also sets NAME.
    """
    names = {name.removesuffix("_FILE") for name in os.environ if name.startswith(prefix)}
    return {name.removeprefix(prefix): text(name) for name in names}


def database(url: str, *, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return Django's settings for a `postgresql://user:password@host:port/name?host=/socket` URL.

    With several hosts (`host:port,host:port`) each is tried in turn, as libpq does.
    """
    parts = _read_database_url(url)
    if not parts.get("dbname"):
        raise ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name."
        )
    ports = parts.pop("port", "").split(",")
    if any(port and not port.isdecimal() for port in ports):
        raise ImproperlyConfigured("The port in DATABASE_URL must be a number.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": ",".join(port or "5432" for port in ports) if any(ports) else "",
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {**parts, **options},
    }


def _read_database_url(url: str) -> dict[str, str]:
    """Return libpq's parameters, unquoted.

    Empty for an invalid URL, because libpq's error would contain the password.
    """
    if not url.startswith(("postgresql://", "postgres://")):
        return {}
    try:
        return {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.ProgrammingError:
        return {}


def redis_database(url: str, number: int) -> str:
    """Return the URL of another numbered database of the same Redis server."""
    parts = urlsplit(url)
    # redis-py prefers a number in the query.
    others = [(name, value) for name, value in parse_qsl(parts.query) if name != "db"]
    if parts.scheme == "unix":
        # Not by `geturl`, which drops the slashes of a URL without a host.
        return f"unix://{parts.netloc}{parts.path}?{urlencode([*others, ('db', number)])}"
    if parts.scheme not in {"redis", "rediss"}:
        raise ImproperlyConfigured("REDIS_URL must look like redis://host:6379/0.")
    return parts._replace(path=f"/{number}", query=urlencode(others)).geturl()


def nats_servers(name: str) -> list[str]:
    """Return the URLs of the servers of one NATS cluster.

    Raises ImproperlyConfigured if there is none, or if one is invalid.
    """
    urls = words(name)
    if not urls or any(urlsplit(url).scheme not in {"nats", "tls"} for url in urls):
        raise ImproperlyConfigured(f"{name} must look like nats://one:4222,nats://two:4222.")
    return urls


def celery_broker(url: str) -> str:
    """Return a Redis URL in Kombu's form.

    Kombu writes `redis+socket` for a Unix socket, and checks no certificate unless told to.
    """
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in query:
        return parts._replace(query=urlencode({**query, "ssl_cert_reqs": "required"})).geturl()
    if parts.scheme != "unix":
        return url
    login = parts.netloc
    if not login and "password" in query:
        login = f"{quote(query.get('username', ''), '')}:{quote(query['password'], '')}@"
    return f"redis+socket://{login}{parts.path}?virtual_host={query.get('db', '0')}"
