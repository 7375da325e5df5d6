"""Second factors of staff members."""

from allauth.mfa.models import Authenticator
from django.conf import settings

from accounts.models import User

# Recovery codes alone are no second factor: they replace one that was lost.
SECOND_FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user_id: int | None) -> bool:
    """Return whether the staff member has a second factor, or True if the site requires none."""
    if not settings.ADMIN_MFA_REQUIRED:
        return True
    factors = Authenticator.objects.filter(user_id=user_id, type__in=SECOND_FACTORS)
    return bool(factors.exists())


def count_staff() -> tuple[int, int]:
    """Return the number of active staff members, and how many of them have no second factor."""
    staff = User.objects.filter(is_staff=True, is_active=True)
    secured = Authenticator.objects.filter(type__in=SECOND_FACTORS).values("user_id")
    return staff.count(), staff.exclude(pk__in=secured).count()
