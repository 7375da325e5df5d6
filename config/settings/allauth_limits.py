"""The attempts that allauth allows an address or an account."""

# An address of IPv4 may be that of a whole carrier's telephones: allauth's own limits of addresses
# are wider here, those of accounts are as they were (wrong passwords: accounts/sign_in_limits.py).
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "signup": "60/m/ip",
    "reset_password": "100/m/ip,5/m/key",
    "reset_password_from_key": "100/m/ip",
    # Codes of the second factor, for who has shown the password already.
    "login_failed": "100/m/ip,5/5m/key",
}
MFA_RATE_LIMITS = {"webauthn_login": "300/m/ip"}
