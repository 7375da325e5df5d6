"""Django's administration with a site of our own; loaded before any model."""

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "config.desk.administration.Administration"
