"""The default format of times, as used in the administration: in the site's time zone, with the zone's name."""

DATETIME_FORMAT = "j M Y, H:i T"
DATE_FORMAT = "j M Y"
