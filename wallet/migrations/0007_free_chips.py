import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("wallet", "0006_campaigns"),
    ]

    operations = [
        migrations.CreateModel(
            name="FreeChips",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "device_mark",
                    models.CharField(blank=True, db_default="", default="", max_length=32),
                ),
                (
                    "address_mark",
                    models.CharField(blank=True, db_default="", default="", max_length=32),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("welcome", "Welcome chips"), ("practice", "Practice chips")],
                        max_length=10,
                    ),
                ),
                (
                    "given_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
            ],
            options={
                "verbose_name": "chips given",
                "verbose_name_plural": "chips given",
                "indexes": [
                    models.Index(
                        fields=["device_mark", "kind", "given_at"], name="chips_of_a_device"
                    ),
                    models.Index(
                        fields=["address_mark", "kind", "given_at"], name="chips_of_an_address"
                    ),
                ],
            },
        ),
    ]
