from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0007_seat_analysis")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="overtime_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Turns are short from then on.",
                null=True,
                verbose_name="overtime from",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="overtime_turn_seconds",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="turn in overtime, in seconds"
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="count_at",
            field=models.DateTimeField(
                blank=True,
                help_text="The running deal ends by count.",
                null=True,
                verbose_name="counted at",
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("count_at", None), ("overtime_at", None), ("overtime_turn_seconds", None)
                )
                | models.Q(
                    ("count_at__gte", models.F("overtime_at")),
                    ("count_at__isnull", False),
                    ("overtime_at__isnull", False),
                    ("overtime_turn_seconds__gt", 0),
                    ("overtime_turn_seconds__isnull", False),
                ),
                name="overtime_has_a_turn_and_an_end",
            ),
        ),
    ]
