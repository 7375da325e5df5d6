import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TERMS = (
    (
        "overtime_turn_seconds",
        models.PositiveSmallIntegerField(
            db_default=0,
            default=10,
            help_text="From the time limit on a turn is no longer than this. 0: turns stay as they are, and deals are played to their end.",
            verbose_name="turn in overtime, in seconds",
        ),
    ),
    (
        "overtime_seconds",
        models.PositiveIntegerField(
            db_default=120,
            default=120,
            help_text="So long after the time limit a deal that is still played ends by count.",
            verbose_name="overtime, in seconds",
        ),
    ),
    (
        "seats_early",
        models.BooleanField(
            db_default=False,
            default=True,
            help_text="A table of the next round begins as soon as the tables have ended whose players meet there. Otherwise everybody is drawn anew when the round is over.",
            verbose_name="seats tables early",
        ),
    ),
    (
        "allows_api_players",
        models.BooleanField(
            db_default=False, default=False, verbose_name="allows API players"
        ),
    ),
)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0008_overtime"),
        ("tournaments", "0003_expert_bots"),
    ]

    operations = [
        *(
            migrations.AddField(model_name=model, name=name, field=field)
            for model in ("tournament", "tournamenttemplate")
            for name, field in TERMS
        ),
        *(
            migrations.AddConstraint(
                model_name=model,
                constraint=models.CheckConstraint(
                    condition=models.Q(("allows_api_players", False))
                    | models.Q(("currency", "CHIPS")),
                    name=f"{prefix}_allows_api_players_for_chips_only",
                    violation_error_message="API players play for chips only.",
                ),
            )
            for model, prefix in (
                ("tournament", "a_tournament"),
                ("tournamenttemplate", "a_tournament_template"),
            )
        ),
        *(
            migrations.AddConstraint(
                model_name=model,
                constraint=models.CheckConstraint(
                    condition=models.Q(("format", "heads-up"), _negated=True)
                    | models.Q(
                        ("late_seconds", 0), ("qualifiers", 1), ("rebuys", 0), ("seats", 2)
                    ),
                    name=f"{prefix}_plays_heads_up_by_two",
                    violation_error_message="A heads-up bracket has two seats at a table, of whom one goes on, no rebuys and no late registration.",
                ),
            )
            for model, prefix in (
                ("tournament", "a_tournament"),
                ("tournamenttemplate", "a_tournament_template"),
            )
        ),
        migrations.AddField(
            model_name="tournament",
            name="opened_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="opened by",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="invite_code",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Who knows it may enter; empty: anybody may.",
                max_length=16,
                verbose_name="invitation",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("invite_code", ""))
                | models.Q(("currency", "CHIPS")),
                name="a_private_tournament_is_for_chips",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="is_drawn",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="drawn as a whole"
            ),
        ),
        migrations.AddField(
            model_name="roundtable",
            name="resolved_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="resolved at"),
        ),
        migrations.RemoveConstraint(
            model_name="round", name="a_tournament_plays_one_round_at_a_time"
        ),
    ]
