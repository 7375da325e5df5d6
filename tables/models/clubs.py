"""Clubs of players: members with roles, the link to join, and a weekly evening."""

from hmac import compare_digest

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.faces import FACE_LENGTH, choose_face
from accounts.models.users import SKELETON_LENGTH
from core.values.isolation import NameField
from tables.models.house_rules import HouseRules
from tables.models.stakes import GAME_LENGTH

CLUB_NAME_LENGTH = 20
LONGEST_ABOUT = 300
CODE_LENGTH = 16


class JoinBy(models.TextChoices):
    LINK = "link", _("The link lets people in at once")
    APPROVAL = "approval", _("An officer approves every request")


class ClubRole(models.TextChoices):
    """A person's role in a club. The row of a removed person is kept, so that no link lets them back in."""

    OWNER = "owner", _("Owner")
    OFFICER = "officer", _("Officer")
    MEMBER = "member", _("Member")
    ASKED = "asked", _("Has asked to join")
    REMOVED = "removed", _("Removed")


BELONGS = (ClubRole.OWNER, ClubRole.OFFICER, ClubRole.MEMBER)
LEADS = (ClubRole.OWNER, ClubRole.OFFICER)


class Club(models.Model):
    """A club. `evening_at` is the time of its next evening, when a job opens the table."""

    name = NameField(_("name"), max_length=CLUB_NAME_LENGTH)
    # The name's skeleton (accounts/names.py): no two open clubs may look alike.
    name_skeleton = models.CharField(max_length=SKELETON_LENGTH, editable=False)
    about = models.CharField(_("about the club"), max_length=LONGEST_ABOUT, default="", blank=True)
    # A code of accounts/faces.py; empty for the icon chosen by the club's number.
    icon = models.CharField(_("icon"), max_length=FACE_LENGTH, default="", blank=True)
    founder = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("founder"),
    )
    join_by = models.CharField(
        _("way to join"), max_length=8, choices=JoinBy, default=JoinBy.APPROVAL
    )
    invite_code = models.CharField(max_length=CODE_LENGTH, editable=False)
    created_at = models.DateTimeField(_("founded at"), db_default=Now())
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    closed_for = models.CharField(_("closed because"), max_length=200, default="", blank=True)

    # The weekly club evening, in local time; all null or empty if there is none.
    evening_weekday = models.PositiveSmallIntegerField(_("evening: weekday"), null=True, blank=True)
    evening_time = models.TimeField(_("evening: time"), null=True, blank=True)
    evening_game = models.CharField(max_length=GAME_LENGTH, default="", blank=True)
    evening_rules = models.CharField(max_length=40, default="", blank=True)
    # House rules that extend the preset above.
    evening_house_rules = models.ForeignKey(
        HouseRules, models.SET_NULL, related_name="+", null=True, blank=True
    )
    evening_seats = models.PositiveSmallIntegerField(default=4)
    evening_at = models.DateTimeField(_("next evening"), null=True, blank=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        permissions = [("decide_club", "Can close clubs and pass them on")]
        indexes = [
            models.Index(
                fields=["evening_at"],
                name="club_evening",
                condition=models.Q(evening_at__isnull=False),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["name_skeleton"],
                condition=models.Q(closed_at__isnull=True),
                name="open_clubs_look_different",
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True) | models.Q(evening_at__isnull=True),
                name="a_closed_club_has_no_evening",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_icon(self) -> str:
        """Return the code of the icon in static/img/faces.svg."""
        return choose_face(self.pk, chosen=self.icon, is_bot=False)

    def admits(self, invite: str) -> bool:
        """Return whether `invite` is the code of the club's link."""
        return compare_digest(self.invite_code.encode(), invite.encode(errors="replace"))

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


class ClubMember(models.Model):
    """A person's membership of a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    role = models.CharField(_("role"), max_length=8, choices=ClubRole)
    # When the person asked, joined, or was removed.
    since = models.DateTimeField(_("since"), db_default=Now())
    # Whether the member is notified when an evening begins.
    is_told = models.BooleanField(_("notified of club evenings"), default=True, db_default=True)

    class Meta:
        verbose_name = _("member of a club")
        verbose_name_plural = _("members of clubs")
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="a_person_is_in_a_club_once"),
            models.UniqueConstraint(
                fields=["club"],
                condition=models.Q(role=ClubRole.OWNER),
                name="a_club_has_one_owner",
            ),
        ]
        indexes = [models.Index(fields=["user"], name="clubs_of_a_person")]

    def __str__(self) -> str:
        return f"user #{self.user_id} in club #{self.club_id}: {self.role}"


def is_member(*, club_id: int | None, user_id: int | None) -> bool:
    """Return whether the person belongs to this club and it is open."""
    if club_id is None or user_id is None:
        return False
    of_club = ClubMember.objects.filter(club=club_id, user=user_id, role__in=BELONGS)
    return of_club.filter(club__closed_at__isnull=True).exists()


def clubs_led_by(user_id: int) -> list[Club]:
    """Return the open clubs in which this person is an officer or the owner, by name."""
    led = ClubMember.objects.filter(user=user_id, role__in=LEADS, user__is_active=True)
    return list(Club.objects.filter(pk__in=led.values("club"), closed_at=None).order_by("name"))
