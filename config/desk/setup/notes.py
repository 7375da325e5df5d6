"""Notes on the setup of the site: successful trials, and decisions of staff to go without something."""

from django.db import transaction

from core.administration.audit import Staff, write_entry
from core.models import SetupNote

# The page is put away, once nothing is left to do.
PUT_AWAY = "put-away"


def read_notes() -> dict[str, str]:
    """Return the notes, as a mapping from code to value."""
    return dict(SetupNote.objects.values_list("code", "value"))


def keep_note(code: str, value: str, *, by: Staff, action: str) -> None:
    """Store a note, replacing any note with the same code, and write an entry in the audit log."""
    with transaction.atomic():
        before = SetupNote.objects.filter(code=code).values_list("value", flat=True).first()
        # In one SQL statement, because another staff member may store or delete the same note at this moment.
        [note] = SetupNote.objects.bulk_create(
            [SetupNote(code=code, value=value)],
            update_conflicts=True, unique_fields=["code"], update_fields=["value"],
        )  # fmt: skip
        write_entry(
            by=by,
            obj=note,
            action=action,
            before={} if before is None else {"value": before},
            after={"value": value},
        )


def drop_note(code: str, *, by: Staff) -> None:
    """Delete a note, to take a decision back."""
    with transaction.atomic():
        note = SetupNote.objects.select_for_update().filter(code=code).first()
        if note is not None:
            write_entry(by=by, obj=note, action="take back", before={"value": note.value}, after={})
            note.delete()
