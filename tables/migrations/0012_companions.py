import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0011_puzzles"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ChipsPassed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("chips", models.BigIntegerField(default=0)),
                ("one_origin", models.BooleanField(default=False)),
            ],
            options={
                "verbose_name": "chips between two players",
                "verbose_name_plural": "chips between two players",
            },
        ),
        migrations.AddField(
            model_name="queueplace",
            name="address_mark",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="queueplace",
            name="device_mark",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="seat",
            name="address_mark",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="seat",
            name="device_mark",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.AddField(
            model_name="table",
            name="one_account_per",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "No: everybody may sit together"),
                    ("device", "One account of a browser"),
                    ("address", "One account of a browser and of an internet address"),
                ],
                db_default="device",
                default="device",
                help_text="Who may not sit together. A household, an office or a carrier's telephones may share an address. At tables for cash with three seats and more it is always the strictest.",
                max_length=10,
                verbose_name="accounts of one place",
            ),
        ),
        migrations.AddField(
            model_name="tabletemplate",
            name="one_account_per",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "No: everybody may sit together"),
                    ("device", "One account of a browser"),
                    ("address", "One account of a browser and of an internet address"),
                ],
                db_default="device",
                default="device",
                help_text="Who may not sit together. A household, an office or a carrier's telephones may share an address. At tables for cash with three seats and more it is always the strictest.",
                max_length=10,
                verbose_name="accounts of one place",
            ),
        ),
        migrations.AddField(
            model_name="chipspassed",
            name="high",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="chipspassed",
            name="low",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="chipspassed",
            constraint=models.UniqueConstraint(
                fields=("day", "low", "high"), name="a_pair_has_one_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="chipspassed",
            constraint=models.CheckConstraint(
                condition=models.Q(("low__lt", models.F("high"))), name="a_pair_is_in_order"
            ),
        ),
    ]
