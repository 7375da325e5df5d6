"""Leases: which jobs are being done by a process."""

from django.db import models


class Lease(models.Model):
    """A job that a process is doing; after `until` that process counts as dead."""

    job = models.CharField(max_length=40, unique=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.job
