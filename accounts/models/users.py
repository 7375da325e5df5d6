"""Players, the notes that staff write about them, and exports of their accounts."""

import unicodedata
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import models
from django.db.models.functions import Lower, Now
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.faces import FACE_LENGTH, choose_face
from accounts.names import (
    BOT_MARK,
    PlayerNameField,
    PlayerNameValidator,
    compute_skeleton,
    refuse_reserved_name,
    tidy_player_name,
)
from core.emails import NOWHERE, refuse_unwritable, to_mailbox

# Names of the unique constraints, for code that handles their violations.
NAME_IS_UNIQUE = "accounts_user_player_name_is_unique_in_any_case"


EMAIL_IS_UNIQUE = "accounts_user_email_key"


# A skeleton may be longer than its name: one letter may look like several.
SKELETON_LENGTH = 100


NAME_IS_TAKEN = _("This player name is taken.")


class UserManager(BaseUserManager["User"]):
    use_in_migrations = True

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())

    def create_user(
        self, email: str, password: str | None = None, *, player_name: str, **fields: Any
    ) -> "User":
        """Create a user. Without a password nobody can sign in to the account, as with practice bots."""
        user = self.model(
            email=email.strip().lower(), player_name=tidy_player_name(player_name), **fields
        )
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, *, player_name: str, **fields: Any
    ) -> "User":
        fields = {"is_staff": True, "is_superuser": True, **fields}
        return self.create_user(email, password, player_name=player_name, **fields)


class AbsenceNotice(models.TextChoices):
    """The ways to notify players that they still hold a seat but have no page open."""

    PUSH_OR_EMAIL = "push_or_email", _("On my devices, otherwise by e-mail")
    PUSH = "push", _("Only on my devices")
    NONE = "none", _("Not at all")


class PageShownTo(models.TextChoices):
    """The people who may see a player's ratings and figures, or whether the player is online."""

    NOBODY = "nobody", _("Only me")
    FRIENDS = "friends", _("My friends")
    EVERYBODY = "everybody", _("All players")


class User(AbstractBaseUser, PermissionsMixin):
    """A person, or a practice bot. The e-mail address is stored in lower case."""

    email = models.EmailField(
        _("e-mail address"),
        unique=True,
        error_messages={"unique": _("There is already an account with this e-mail address.")},
    )
    player_name = PlayerNameField(
        _("player name"),
        max_length=20,
        validators=[PlayerNameValidator()],
        help_text=_("Your name at the table: 3 to 20 characters."),
    )
    # The name's skeleton (accounts/names.py); empty until a job has filled it.
    name_skeleton = models.CharField(
        max_length=SKELETON_LENGTH, default="", db_default="", blank=True, editable=False
    )
    # A code of accounts/faces.py; empty for the face chosen by the account's number.
    face = models.CharField(
        _("face"), max_length=FACE_LENGTH, default="", db_default="", blank=True, editable=False
    )
    language = models.CharField(_("language"), max_length=10, default="en")
    absence_notice = models.CharField(
        _("absence notice"),
        max_length=13,
        choices=AbsenceNotice,
        default=AbsenceNotice.PUSH_OR_EMAIL,
        db_default=AbsenceNotice.PUSH_OR_EMAIL,
    )
    page_shown_to = models.CharField(
        _("player page shown to"),
        max_length=9,
        choices=PageShownTo,
        default=PageShownTo.NOBODY,
        db_default=PageShownTo.NOBODY,
    )
    online_shown_to = models.CharField(
        _("online status shown to"),
        max_length=9,
        choices=PageShownTo,
        default=PageShownTo.FRIENDS,
        db_default=PageShownTo.FRIENDS,
    )
    # Chosen values by name (accounts/people/preferences.py); a missing name means its default.
    preferences = models.JSONField(
        _("preferences"),
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        editable=False,
    )
    adult_confirmed_at = models.DateTimeField(_("confirmed to be 18 or older"), null=True)
    is_bot = models.BooleanField(_("practice bot"), default=False)
    # Set when this becomes a BOT account, which a program of its owner plays. Only staff can clear it
    # (accounts/people/bot_accounts.py).
    became_bot_at = models.DateTimeField(_("BOT account since"), null=True, blank=True)
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        db_default=False,
        help_text=_(
            "Plays a first deal, or at a friend's table, without an address or a password."
        ),
    )
    is_staff = models.BooleanField(
        _("staff"), default=False, help_text=_("May sign in to the administration.")
    )
    is_active = models.BooleanField(
        _("active"), default=True, help_text=_("Unselect this instead of deleting accounts.")
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    # Both block sign-in: `frozen_at` until staff unfreeze the account, `closed_at` permanently.
    frozen_at = models.DateTimeField(_("frozen"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["player_name"]

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        permissions = [
            ("freeze_user", "Can freeze and unfreeze players"),
            ("end_sessions", "Can see and end the sessions of players"),
        ]
        indexes = [
            # For searches by whole names and by prefixes.
            models.Index(
                fields=["name_skeleton"],
                opclasses=["text_pattern_ops"],
                name="accounts_user_name_beginning",
            ),
            models.Index(
                fields=["date_joined"],
                name="accounts_user_guest",
                condition=models.Q(is_guest=True, closed_at__isnull=True),
            ),
            models.Index(
                fields=["became_bot_at"],
                name="accounts_user_bot_account",
                condition=models.Q(became_bot_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_active=False)
                | models.Q(frozen_at__isnull=True, closed_at__isnull=True),
                name="accounts_user_frozen_or_closed_is_not_active",
            ),
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")),
                name="accounts_user_email_is_lower_case",
            ),
            models.UniqueConstraint(
                Lower("player_name"),
                name=NAME_IS_UNIQUE,
                violation_error_message=NAME_IS_TAKEN,
            ),
            models.CheckConstraint(
                condition=models.Q(became_bot_at__isnull=True)
                | models.Q(closed_at__isnull=False)
                | models.Q(player_name__endswith=BOT_MARK),
                name="accounts_user_name_of_a_bot_account_says_so",
            ),
            models.CheckConstraint(
                condition=models.Q(player_name__regex=r"^.{3,20}$"),
                name="accounts_user_player_name_has_3_to_20_characters",
            ),
        ]

    def __str__(self) -> str:
        return self.player_name

    @property
    def is_bot_account(self) -> bool:
        """Return whether this is a BOT account, played by its owner's program.

        Practice bots are the site's own, and are not BOT accounts.
        """
        return self.became_bot_at is not None

    @property
    def is_no_person(self) -> bool:
        return self.is_bot or self.is_bot_account

    @property
    def shown_face(self) -> str:
        return choose_face(self.pk, chosen=self.face, is_bot=self.is_bot)

    def save(self, *args: Any, **options: Any) -> None:
        """Update the name's skeleton and save the user."""
        self.name_skeleton = compute_stored_skeleton(self.player_name)
        fields = options.get("update_fields")
        if fields is not None and "player_name" in fields:
            options["update_fields"] = {*fields, "name_skeleton"}
        super().save(*args, **options)

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()
        refuse_unwritable(self.email)
        self.player_name = tidy_player_name(self.player_name)
        if not (self.is_staff or self.is_bot or self.is_guest or self._has_this_name_already()):
            try:
                refuse_reserved_name(self.player_name)
            except ValidationError as error:
                raise ValidationError({"player_name": error}) from error

    def _has_this_name_already(self) -> bool:
        return User.objects.filter(pk=self.pk, player_name=self.player_name).exists()

    @property
    def own_email(self) -> str:
        """Return the address at which e-mails reach the user. Empty for guests and people who signed up by phone."""
        return "" if self.email.endswith(NOWHERE) else self.email

    def get_full_name(self) -> str:
        return self.player_name

    def get_short_name(self) -> str:
        return self.player_name

    def set_password(self, raw_password: str | None) -> None:
        """Set a password, in composed form (RFC 8265): keyboards may send "é" or "क़" as one character or as two."""
        super().set_password(None if raw_password is None else compose_password(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether this is the password.

        Also accepts a password that was stored exactly as typed, before passwords were stored in composed form.
        """
        if raw_password is None:
            return False
        composed = compose_password(raw_password)
        is_right: bool = super().check_password(composed)
        return is_right or (composed != raw_password and super().check_password(raw_password))

    def email_user(self, subject: str, message: str, **options: Any) -> None:
        send_mail(subject, message, None, [to_mailbox(self.email)], **options)


def compose_password(password: str) -> str:
    return unicodedata.normalize("NFC", password)


def compute_stored_skeleton(player_name: str) -> str:
    """Return a name's skeleton in the form in which it is stored."""
    return compute_skeleton(player_name)[:SKELETON_LENGTH]


def is_name_taken(player_name: str, *, but: int = 0) -> bool:
    """Return whether a user other than `but` has this name, or one that looks like it."""
    users = User.objects.exclude(pk=but).alias(lower=Lower("player_name"))
    is_same = models.Q(lower=Lower(models.Value(player_name))) | models.Q(
        name_skeleton=compute_stored_skeleton(player_name)
    )
    return users.filter(is_same).exists()


def display_name(user: User) -> str:
    return user.player_name


class PlayerNote(models.Model):
    """A staff note about a player, which the player cannot see."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="notes", verbose_name=_("player")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("staff")
    )
    text = models.TextField(_("note"))
    written_at = models.DateTimeField(_("written at"), db_default=Now())

    class Meta:
        verbose_name = _("player note")
        verbose_name_plural = _("player notes")
        db_table = "accounts_player_note"

    def __str__(self) -> str:
        return f"note #{self.pk} about user #{self.user_id}"


class AccountExport(models.Model):
    """A requested export. A job makes it, and its file is deleted later (accounts/people/exports.py)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField(db_default=Now())
    made_at = models.DateTimeField(null=True)
    # Key in the private storage; empty before the file is made and after it is deleted.
    stored_as = models.TextField(default="")

    class Meta:
        verbose_name = _("account export")
        verbose_name_plural = _("account exports")
        db_table = "accounts_export"
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(made_at__isnull=True),
                name="accounts_export_one_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"export #{self.pk} of user #{self.user_id}"


class PlayerRequest(HttpRequest):
    """For type checking only: the request of a view behind `login_required`."""

    user: User
