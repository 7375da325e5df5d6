"""The content security policy that is sent with every page."""

from playwright.sync_api import Response

POLICY = {
    "default-src": {"'none'"},
    "script-src": {"'self'"},
    "style-src": {"'self'"},
    "img-src": {"'self'", "data:"},
    "font-src": {"'self'"},
    "connect-src": {"'self'"},
    "manifest-src": {"'self'"},
    "worker-src": {"'self'"},
    "form-action": {"'self'"},
    "frame-ancestors": {"'none'"},
    "base-uri": {"'none'"},
}


def policy_faults(answer: Response) -> list[str]:
    """Return the policy if it is not the site's. Only pages made for embedding may be framed by other sites."""
    is_framed = answer.url.endswith("/embed/")
    wanted = POLICY | ({"frame-ancestors": {"*"}} if is_framed else {})
    policy = answer.headers.get("content-security-policy", "none")
    parts = (part.split() for part in policy.split(";"))
    if {directive: set(sources) for directive, *sources in parts} == wanted:
        return []
    return [f"policy: {policy}"]
