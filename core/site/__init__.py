"""The site's name, logo, colours, features, announcements and numbers, cached for all processes."""
