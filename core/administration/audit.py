"""The audit log. Entries are written in the transaction of the act that they record."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.http import HttpRequest

from core.models.audit import AuditEntry

# Never copy into the log what grants access or shows a card.
SECRET_FIELDS = frozenset(
    {
        "password",
        "token_hash",
        "key",
        "secret",
        "token",
        "token_secret",
        "seed",
        "next_seed",
        "client_secret",
    }
    | {"data", "session_key"}
)


# Names of people are read where the log is shown: it is kept longer than their accounts.
_NAMES = ("player_name", "name_skeleton")
_LEFT_OUT = "…"


@dataclass(frozen=True, slots=True)
class Staff:
    """The staff member who acts, and the network address of the request."""

    user_id: int
    name: str
    address: str | None


def build_staff(request: HttpRequest) -> Staff:
    assert request.user.is_authenticated  # noqa: S101 - the administration asks for it
    return Staff(
        user_id=request.user.pk,
        name=request.user.player_name,
        address=get_adapter().get_client_ip(request),
    )


def read_values(obj: models.Model) -> dict[str, Any]:
    """Return the values of an object's fields in JSON types, without secrets and binary fields.

    A many-to-many relation is a list of names.
    """
    options = obj._meta  # noqa: SLF001 - Django's name for what everybody may read
    values: dict[str, Any] = {
        field.name: field.value_from_object(obj)
        for field in options.concrete_fields
        if field.name not in SECRET_FIELDS and not isinstance(field, models.BinaryField)
    }
    for relation in options.many_to_many:
        values[relation.name] = sorted(map(str, getattr(obj, relation.name).all()))
    plain: dict[str, Any] = json.loads(json.dumps(values, cls=DjangoJSONEncoder))
    return plain


def read_stored_values(model: type[models.Model], pk: Any) -> dict[str, Any]:
    """Return the values that the row has in the database now. Empty if the row does not exist."""
    row = model._base_manager.filter(pk=pk).first()  # noqa: SLF001 - likewise
    return read_values(row) if row is not None else {}


def write_entry(
    *,
    by: Staff,
    obj: models.Model,
    action: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    reason: str = "",
) -> AuditEntry:
    """Write an audit entry. Only fields that differ between `before` and `after` are stored.

    A person's names are not stored, only the fact that they changed.
    """
    changed = [
        name for name in {**before, **after} if before.get(name, ...) != after.get(name, ...)
    ]
    is_person = isinstance(obj, AbstractBaseUser)
    hidden = dict.fromkeys(_NAMES, _LEFT_OUT) if is_person else {}
    return _write(
        by,
        action,
        kind=obj._meta.label_lower,  # noqa: SLF001 - likewise
        pk=str(obj.pk),
        name="" if is_person else str(obj),
        before={name: hidden.get(name, before[name]) for name in changed if name in before},
        after={name: hidden.get(name, after[name]) for name in changed if name in after},
        reason=reason,
    )


def write_entry_of_list(
    *, by: Staff, model: type[models.Model], action: str, about: Mapping[str, Any]
) -> AuditEntry:
    """Write an entry about many rows of a model at once, such as an export."""
    options = model._meta  # noqa: SLF001 - likewise
    name = str(options.verbose_name_plural)
    return _write(by, action, kind=options.label_lower, pk="", name=name, after=dict(about))


def _write(  # noqa: PLR0913 - the columns of an entry, by name
    by: Staff,
    action: str,
    *,
    kind: str,
    pk: str,
    name: str,
    after: dict[str, Any],
    before: dict[str, Any] | None = None,
    reason: str = "",
) -> AuditEntry:
    return AuditEntry.objects.create(
        staff_id=by.user_id,
        staff_name=by.name,
        address=by.address,
        action=action,
        object_type=kind,
        object_id=pk,
        object_name=name,
        before=before or {},
        after=after,
        reason=reason.strip(),
    )


@contextmanager
def record_act(*, by: Staff, obj: models.Model, action: str, reason: str = "") -> Iterator[None]:
    """Run the block, an act on `obj`, in a transaction, and write an audit entry if it succeeds."""
    with transaction.atomic():
        before = read_stored_values(type(obj), obj.pk)
        yield
        after = read_stored_values(type(obj), obj.pk)
        write_entry(by=by, obj=obj, action=action, before=before, after=after, reason=reason)
