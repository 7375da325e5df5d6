import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0008_overtime")]

    operations = [
        migrations.AddField(
            "table",
            "closing_at",
            models.DateTimeField(
                blank=True,
                help_text="Staff have wound the table up: the running match is its last one.",
                null=True,
                verbose_name="closes after the match since",
            ),
        ),
        migrations.AddField(
            "table",
            "removed",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), blank=True, null=True, size=None
            ),
        ),
        migrations.AlterModelOptions(
            name="table",
            options={
                "permissions": [
                    ("close_table", "Can close tables"),
                    ("remove_player", "Can stand players up from tables"),
                ],
                "verbose_name": "table",
                "verbose_name_plural": "tables",
            },
        ),
    ]
