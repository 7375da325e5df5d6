"""The form of moments where a page sets none, as in the administration: in the site's time
(TIME_ZONE), with the name of its zone."""

DATETIME_FORMAT = "j M Y, H:i T"
DATE_FORMAT = "j M Y"
