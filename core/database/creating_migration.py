"""A migration that creates several models."""

from django.db import migrations

from core.database.joint_migration import JointMigration


class CreatingMigration(JointMigration):
    kinds = (migrations.CreateModel,)
