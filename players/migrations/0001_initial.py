import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration


class Migration(CreatingMigration):

    initial = True

    dependencies = [
        ('tables', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DayTotal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20)),
                ('format', models.CharField(max_length=10)),
                ('day', models.DateField()),
                ('chips', models.BigIntegerField(default=0)),
                ('matches', models.PositiveIntegerField(default=0)),
                ('rated_matches', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': "player's daily total",
                'verbose_name_plural': "players' daily totals",
                'constraints': [models.UniqueConstraint(fields=('game', 'format', 'day', 'user'), name='a_player_has_one_total_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='LeaderboardPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.CharField(choices=[('RATING', 'Rating'), ('CHIPS', 'Chips won')], max_length=10)),
                ('game', models.CharField(max_length=20)),
                ('format', models.CharField(max_length=10)),
                ('period', models.CharField(choices=[('DAY', 'Today'), ('WEEK', 'This week'), ('ALL', 'All time')], max_length=10)),
                ('place', models.PositiveIntegerField()),
                ('value', models.BigIntegerField()),
                ('matches', models.PositiveIntegerField()),
                ('drawn_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'leaderboard place',
                'verbose_name_plural': 'leaderboard places',
                'indexes': [models.Index(fields=['board', 'game', 'format', 'period', 'place'], name='places_of_a_leaderboard')],
                'constraints': [models.UniqueConstraint(fields=('board', 'game', 'format', 'period', 'user'), name='a_player_has_one_place_on_a_leaderboard')],
            },
        ),
        migrations.CreateModel(
            name='GoalDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('codes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'goals of a day',
                'verbose_name_plural': 'goals of days',
                'db_table': 'players_goal_day',
                'constraints': [models.UniqueConstraint(fields=('user', 'day'), name='a_player_has_a_day_of_goals_once')],
            },
        ),
        migrations.CreateModel(
            name='LastVisit',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('seen_at', models.DateTimeField()),
                ('away_since', models.DateTimeField(null=True)),
            ],
            options={
                'verbose_name': 'last visit of a player',
                'verbose_name_plural': 'last visits of players',
                'db_table': 'players_last_visit',
            },
        ),
        migrations.CreateModel(
            name='RankSeason',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins_at', models.DateTimeField(unique=True, verbose_name='begins at')),
                ('ends_at', models.DateTimeField(verbose_name='ends at')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='closed at')),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'db_table': 'players_rank_season',
                'constraints': [models.UniqueConstraint(fields=('closed_at',), name='one_season_is_open', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('begins_at'))), name='a_season_lasts')],
            },
        ),
        migrations.CreateModel(
            name='SeasonRank',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('format', models.CharField(max_length=10, verbose_name='format')),
                ('value', models.FloatField(verbose_name='rank')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ranks', to='players.rankseason')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'rank of a season',
                'verbose_name_plural': 'ranks of seasons',
                'db_table': 'players_season_rank',
                'indexes': [models.Index(fields=['season', 'game', 'format', '-value'], name='ranks_of_a_season')],
                'constraints': [models.UniqueConstraint(fields=('season', 'user', 'game', 'format'), name='a_player_has_one_rank_of_a_format_in_a_season')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('format', models.CharField(max_length=10, verbose_name='format')),
                ('value_before', models.FloatField(verbose_name='rating before')),
                ('deviation_before', models.FloatField(verbose_name='deviation before')),
                ('value', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(verbose_name='deviation')),
                ('volatility', models.FloatField(verbose_name='volatility')),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to='tables.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'rating change',
                'verbose_name_plural': 'rating changes',
                'constraints': [models.UniqueConstraint(fields=('match', 'user'), name='a_match_changes_a_rating_once')],
            },
        ),
        migrations.CreateModel(
            name='AchievementMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('codes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), size=None)),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'match that counts towards achievements',
                'verbose_name_plural': 'matches that count towards achievements',
                'db_table': 'players_achievement_match',
                'constraints': [models.UniqueConstraint(fields=('match', 'user'), name='a_match_counts_towards_achievements_once')],
            },
        ),
        migrations.CreateModel(
            name='PlayerAchievement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=30, verbose_name='achievement')),
                ('count', models.PositiveIntegerField(default=0, verbose_name='matches')),
                ('tier', models.PositiveSmallIntegerField(default=0, verbose_name='tier')),
                ('reached_at', models.DateTimeField(null=True, verbose_name='reached at')),
                ('reached_in', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='achievements', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'achievement of a player',
                'verbose_name_plural': 'achievements of players',
                'db_table': 'players_player_achievement',
                'constraints': [models.UniqueConstraint(fields=('user', 'code'), name='a_player_has_an_achievement_once')],
            },
        ),
    ]
