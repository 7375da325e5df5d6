from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit_models, export_models  # noqa: F401 - where Django looks for models
from accounts.names import PlayerNameValidator, refuse_reserved_name, tidy_player_name
from accounts.push_models import PushSubscription  # noqa: F401 - where Django looks for models

# The database's names of what is unique, for whoever reads its refusals.
NAME_IS_UNIQUE = "accounts_user_player_name_is_unique_in_any_case"
EMAIL_IS_UNIQUE = "accounts_user_email_key"
DOCUMENT_IS_UNIQUE = "accounts_identity_check_document_is_of_one_person"
NAME_IS_TAKEN = _("This player name is taken.")


class UserManager(BaseUserManager["User"]):
    use_in_migrations = True

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").lower())

    def create_user(
        self, email: str, password: str | None = None, *, player_name: str, **fields: Any
    ) -> "User":
        """Without a password the account exists but nobody can log in to it (practice bots)."""
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


class User(AbstractBaseUser, PermissionsMixin):
    """A person, or a practice bot. The e-mail address is stored in lower case."""

    email = models.EmailField(
        _("e-mail address"),
        unique=True,
        error_messages={"unique": _("There is an account with this e-mail address.")},
    )
    player_name = models.CharField(
        _("player name"),
        max_length=20,
        validators=[PlayerNameValidator()],
        help_text=_("What others see at the table: 3 to 20 characters."),
    )
    language = models.CharField(_("language"), max_length=10, default="en")
    adult_confirmed_at = models.DateTimeField(_("confirmed to be 18 or older"), null=True)
    is_bot = models.BooleanField(_("practice bot"), default=False)
    is_staff = models.BooleanField(
        _("staff"), default=False, help_text=_("May log in to the administration.")
    )
    is_active = models.BooleanField(
        _("active"), default=True, help_text=_("Unselect this instead of deleting accounts.")
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    # Both mean that nobody signs in: until staff take it back, and for ever.
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
                condition=models.Q(player_name__regex=r"^.{3,20}$"),
                name="accounts_user_player_name_has_3_to_20_characters",
            ),
        ]

    def __str__(self) -> str:
        return self.player_name

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()
        self.player_name = tidy_player_name(self.player_name)
        if not (self.is_staff or self.is_bot or self._has_this_name_already()):
            try:
                refuse_reserved_name(self.player_name)
            except ValidationError as error:
                raise ValidationError({"player_name": error}) from error

    def _has_this_name_already(self) -> bool:
        return User.objects.filter(pk=self.pk, player_name=self.player_name).exists()

    def get_full_name(self) -> str:
        return self.player_name

    def get_short_name(self) -> str:
        return self.player_name

    def email_user(self, subject: str, message: str, **options: Any) -> None:
        send_mail(subject, message, None, [self.email], **options)


def display_name(user: User) -> str:
    return user.player_name


class IdentityCheck(models.Model):
    """Who a player says he is, and what the administration made of it."""

    class State(models.TextChoices):
        SUBMITTED = "SUBMITTED", _("being checked")
        APPROVED = "APPROVED", _("approved")
        REFUSED = "REFUSED", _("refused")

    class DocumentKind(models.TextChoices):
        PAN = "PAN", _("PAN card")
        PASSPORT = "PASSPORT", _("passport")
        DRIVING_LICENCE = "DRIVING_LICENCE", _("driving licence")
        VOTER_ID = "VOTER_ID", _("voter identity card")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="identity_checks",
        verbose_name=_("player"),
    )
    full_name = models.CharField(_("full name"), max_length=100)
    born_on = models.DateField(_("date of birth"))
    document_kind = models.TextField(_("document"), choices=DocumentKind.choices)
    document_number = models.TextField(_("number of the document"))
    state = models.TextField(_("state"), choices=State.choices, default=State.SUBMITTED)
    reason = models.TextField(_("reason"), blank=True, help_text=_("The player reads it."))
    submitted_at = models.DateTimeField(_("submitted"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("decided by"),
    )

    class Meta:
        verbose_name = _("identity check")
        verbose_name_plural = _("identity checks")
        db_table = "accounts_identity_check"
        permissions = [
            ("decide_identitycheck", "Can see identity documents and decide identity checks")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=~models.Q(state="REFUSED"),
                name="accounts_identity_check_one_at_a_time",
            ),
            models.UniqueConstraint(
                fields=["document_kind", "document_number"],
                condition=models.Q(state="APPROVED"),
                name=DOCUMENT_IS_UNIQUE,
            ),
            models.CheckConstraint(
                condition=models.Q(state="SUBMITTED", decided_at=None, decided_by=None)
                | models.Q(
                    state__in=["APPROVED", "REFUSED"],
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                ),
                name="accounts_identity_check_says_who_decided",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="REFUSED", reason=""),
                name="accounts_identity_check_refusal_has_a_reason",
            ),
            models.CheckConstraint(
                condition=~models.Q(decided_by=models.F("user")),
                name="accounts_identity_check_is_decided_by_somebody_else",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.state}"


class IdentityDocument(models.Model):
    """An image of a document, kept where no address leads to (accounts/private_files.py)."""

    class Side(models.TextChoices):
        FRONT = "FRONT", _("front")
        BACK = "BACK", _("back")

    identity_check = models.ForeignKey(
        IdentityCheck, models.PROTECT, related_name="documents", db_index=False
    )
    side = models.TextField(choices=Side.choices)
    stored_as = models.TextField(unique=True)
    content_type = models.TextField()

    class Meta:
        db_table = "accounts_identity_document"
        constraints = [
            models.UniqueConstraint(
                fields=["identity_check", "side"], name="accounts_identity_document_one_of_a_side"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.identity_check_id} {self.side}"


class Scope(models.TextChoices):
    READ = "read", _("Read: account, wallet, tables, matches, tournaments")
    PLAY = "play", _("Play: sit down, leave, move")
    MONEY = "money", _("Bring money: to tables and tournaments")


class ApiToken(models.Model):
    """What a program of a player's shows instead of a password; only its hash is kept."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return f"{self.name} (token #{self.pk})"


class ApiRequest(models.Model):
    """The answer to a request that moved money, by the key that its sender gave it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(null=True)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("API request")
        verbose_name_plural = _("API requests")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="a_key_is_one_request")]
        indexes = [models.Index(fields=["made_at"], name="api_request_made_at")]

    def __str__(self) -> str:
        return f"request {self.key} of user #{self.user_id}"


class Letter(models.Model):
    """A mail that is still to be sent; the row goes when it has been."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    subject = models.TextField()
    text = models.TextField()
    written_at = models.DateTimeField()
    # When it is tried next.
    send_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")

    def __str__(self) -> str:
        return f"letter #{self.pk}"
