import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration

# An archive has its table in its key, and its match is one of the same table, as with all that belongs to a table
# (docs/adr/0018-play-keyed-by-table.md).
KEYED_BY_TABLE = """
ALTER TABLE history_match_archive
  DROP CONSTRAINT history_match_archive_pkey, ADD PRIMARY KEY (match_id, table_id),
  ADD FOREIGN KEY (match_id, table_id) REFERENCES tables_match (id, table_id) DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(CreatingMigration):

    initial = True

    dependencies = [
        ('tables', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PairNight',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(unique=True)),
                ('tested', models.PositiveIntegerField()),
                ('shown', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'nightly fair-play check of player pairs',
                'verbose_name_plural': 'nightly fair-play checks of player pairs',
            },
        ),
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('kind', models.CharField(max_length=10, verbose_name='kind')),
                ('task', models.JSONField(verbose_name='task')),
                ('solution', models.JSONField(verbose_name='solution')),
                ('value', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(verbose_name='deviation')),
                ('volatility', models.FloatField(verbose_name='volatility')),
                ('answers', models.PositiveIntegerField(default=0, verbose_name='answers')),
                ('right', models.PositiveIntegerField(default=0, verbose_name='right answers')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='created at')),
                ('daily_on', models.DateField(blank=True, null=True, verbose_name='puzzle of the day')),
                ('retired_at', models.DateTimeField(blank=True, null=True, verbose_name='retired at')),
            ],
            options={
                'verbose_name': 'puzzle',
                'verbose_name_plural': 'puzzles',
                'permissions': [('retire_puzzle', 'Can retire a puzzle')],
                'indexes': [models.Index(condition=models.Q(('retired_at__isnull', True)), fields=['game', 'kind', 'value'], name='puzzles_to_be_solved'), models.Index(fields=['made_at'], name='puzzles_by_age')],
                'constraints': [models.UniqueConstraint(fields=('daily_on',), name='a_day_has_one_puzzle'), models.CheckConstraint(condition=models.Q(('right__lte', models.F('answers'))), name='right_answers_are_answers')],
            },
        ),
        migrations.CreateModel(
            name='PuzzleRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('value', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(verbose_name='deviation')),
                ('volatility', models.FloatField(verbose_name='volatility')),
                ('answers', models.PositiveIntegerField(default=0, verbose_name='answers')),
                ('right', models.PositiveIntegerField(default=0, verbose_name='right answers')),
                ('rated_at', models.DateTimeField(verbose_name='last answer')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'puzzle rating',
                'verbose_name_plural': 'puzzle ratings',
                'constraints': [models.UniqueConstraint(fields=('user', 'game'), name='a_player_has_one_puzzle_rating_in_a_game')],
            },
        ),
        migrations.CreateModel(
            name='PuzzleSearch',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('through', models.BigIntegerField(default=0)),
                ('match', models.BigIntegerField(null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('deadline_at', models.DateTimeField(null=True)),
                ('day', models.DateField(null=True)),
                ('looked_at', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'search for puzzles',
                'verbose_name_plural': 'searches for puzzles',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='there_is_one_search_for_puzzles')],
            },
        ),
        migrations.CreateModel(
            name='SittingKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_on', models.DateField(unique=True)),
                ('secret', models.BinaryField(max_length=32)),
            ],
            options={
                'verbose_name': 'key for hashed addresses and devices',
                'verbose_name_plural': 'keys for hashed addresses and devices',
            },
        ),
        migrations.CreateModel(
            name='PuzzleAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.CharField(max_length=400, verbose_name='answer')),
                ('is_right', models.BooleanField(verbose_name='right')),
                ('loss', models.FloatField(verbose_name='points given away')),
                ('answered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='answered at')),
                ('daily_on', models.DateField(blank=True, null=True, verbose_name='puzzle of the day')),
                ('value_before', models.FloatField(verbose_name='rating before')),
                ('value', models.FloatField(verbose_name='rating')),
                ('puzzle', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='history.puzzle')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'answer to a puzzle',
                'verbose_name_plural': 'answers to puzzles',
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'user'), name='a_puzzle_is_answered_once_by_a_player')],
            },
        ),
        migrations.CreateModel(
            name='SittingTrace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_hash', models.BinaryField(max_length=16)),
                ('device_hash', models.BinaryField(max_length=16)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='last seen at')),
                ('key', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='history.sittingkey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'hashed address and device of a sitting',
                'verbose_name_plural': 'hashed addresses and devices of sittings',
                'indexes': [models.Index(fields=['key', 'address_hash'], name='sittings_by_address'), models.Index(fields=['seen_at'], name='sittings_by_age')],
                'constraints': [models.UniqueConstraint(fields=('user', 'key', 'address_hash', 'device_hash'), name='a_place_is_traced_once_for_a_player')],
            },
        ),
        migrations.CreateModel(
            name='MatchArchive',
            fields=[
                ('match', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='archive', serialize=False, to='tables.match')),
                ('changes', models.BinaryField()),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'verbose_name': 'match archive',
                'verbose_name_plural': 'match archives',
                'db_table': 'history_match_archive',
            },
        ),
        migrations.CreateModel(
            name='MatchLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=32, unique=True, verbose_name='token')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='created at')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='links', to='tables.match')),
            ],
            options={
                'verbose_name': 'shared link to a match',
                'verbose_name_plural': 'shared links to matches',
                'constraints': [models.UniqueConstraint(fields=('match', 'made_by'), name='a_player_has_one_link_to_a_match')],
            },
        ),
        migrations.CreateModel(
            name='MatchTrace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('version', models.PositiveSmallIntegerField()),
                ('ended_at', models.DateTimeField(verbose_name='ended at')),
                ('feeding', models.FloatField()),
                ('feeding_others', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('withheld', models.FloatField()),
                ('loss', models.FloatField()),
                ('decisions', models.PositiveIntegerField()),
                ('offered', models.PositiveIntegerField()),
                ('picked', models.PositiveIntegerField()),
                ('picks_due', models.FloatField()),
                ('paid', models.FloatField()),
                ('paid_due', models.FloatField()),
                ('giver', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='traces', to='tables.match')),
                ('taker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'fair-play trace of a match',
                'verbose_name_plural': 'fair-play traces of matches',
                'indexes': [models.Index(fields=['ended_at'], name='traces_by_age')],
                'constraints': [models.UniqueConstraint(fields=('match', 'giver', 'taker'), name='a_match_is_traced_once_for_a_pair')],
            },
        ),
        migrations.CreateModel(
            name='SeatAnalysis',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deal', models.PositiveIntegerField(verbose_name='deal')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('state', models.CharField(choices=[('WAITING', 'waiting'), ('RUNNING', 'running'), ('DONE', 'done'), ('FAILED', 'failed')], default='WAITING', max_length=8, verbose_name='state')),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='requested at')),
                ('deadline_at', models.DateTimeField(verbose_name='deadline')),
                ('done_at', models.DateTimeField(blank=True, null=True, verbose_name='done at')),
                ('progress', models.PositiveSmallIntegerField(default=0, verbose_name='progress')),
                ('version', models.PositiveSmallIntegerField(default=0, verbose_name='version')),
                ('report', models.JSONField(blank=True, null=True, verbose_name='report')),
                ('decisions', models.PositiveSmallIntegerField(default=0, verbose_name='decisions')),
                ('lost', models.FloatField(default=0, verbose_name='points given away')),
                ('by_kind', models.JSONField(default=dict, verbose_name='totals by kind of decision')),
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.match')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'analysis of a deal',
                'verbose_name_plural': 'analyses of deals',
                'indexes': [models.Index(fields=['user', 'asked_at'], name='analyses_of_a_player'), models.Index(condition=models.Q(('state', 'WAITING')), fields=['asked_at'], name='analyses_that_wait'), models.Index(condition=models.Q(('state', 'DONE')), fields=['done_at'], name='analyses_of_the_field')],
                'constraints': [models.UniqueConstraint(fields=('match', 'deal', 'seat'), name='a_seat_of_a_deal_is_analysed_once'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'DONE'), _negated=True), ('report__isnull', False), _connector='OR'), name='a_finished_analysis_has_a_report')],
            },
        ),
        migrations.CreateModel(
            name='SupportCase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('DEAL', 'Something was wrong with a deal'), ('MONEY', 'Deposits, withdrawals, bonuses'), ('ACCOUNT', 'My account'), ('OTHER', 'Something else')], max_length=10, verbose_name='about')),
                ('evidence', models.JSONField(null=True, verbose_name='evidence')),
                ('state', models.CharField(choices=[('OPEN', 'waiting for our answer'), ('ANSWERED', 'answered'), ('CLOSED', 'closed')], default='OPEN', max_length=10, verbose_name='state')),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='opened')),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='last message')),
                ('deal', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.deal', verbose_name='deal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='support_cases', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'support case',
                'verbose_name_plural': 'support cases',
                'permissions': [('answer_supportcase', 'Can answer and close support cases')],
                'indexes': [models.Index(fields=['state', 'changed_at'], name='support_cases_by_state'), models.Index(fields=['user', '-id'], name='support_cases_of_a_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('deal__isnull', False), ('evidence__isnull', False), ('topic', 'DEAL')), models.Q(models.Q(('topic', 'DEAL'), _negated=True), ('deal__isnull', True), ('evidence__isnull', True)), _connector='OR'), name='a_case_about_a_deal_has_it_and_its_evidence')],
            },
        ),
        migrations.CreateModel(
            name='SupportMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_answer', models.BooleanField()),
                ('text', models.CharField(max_length=2000)),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='history.supportcase')),
            ],
            options={
                'verbose_name': 'message to the staff',
                'verbose_name_plural': 'messages to the staff',
            },
        ),
        migrations.CreateModel(
            name='PuzzleRush',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('began_at', models.DateTimeField(verbose_name='began at')),
                ('ends_at', models.DateTimeField(verbose_name='ends at')),
                ('right', models.PositiveSmallIntegerField(default=0, verbose_name='right answers')),
                ('wrong', models.PositiveSmallIntegerField(default=0, verbose_name='mistakes')),
                ('asked', models.JSONField(verbose_name='puzzles')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'puzzle rush',
                'verbose_name_plural': 'puzzle rushes',
                'indexes': [models.Index(fields=['user', 'game', '-right'], name='rushes_of_a_player')],
            },
        ),
        migrations.CreateModel(
            name='MatchCorrection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField(help_text='In paise.', validators=[django.core.validators.MinValueValidator(1)], verbose_name='amount')),
                ('by_house', models.BigIntegerField(default=0, help_text='In paise.', verbose_name='paid by the house')),
                ('reason', models.CharField(help_text='Both players see it.', max_length=500, verbose_name='reason')),
                ('state', models.TextField(choices=[('PROPOSED', 'waiting for a second approval'), ('APPROVED', 'approved'), ('REFUSED', 'refused')], default='PROPOSED', verbose_name='state')),
                ('proposed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='proposed')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('match', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='tables.match', verbose_name='match')),
                ('payee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player who receives money')),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='player who gives money back')),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='proposed by')),
            ],
            options={
                'verbose_name': 'correction of a match',
                'verbose_name_plural': 'corrections of matches',
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0), ('by_house__gte', 0), ('by_house__lte', models.F('amount'))), name='a_correction_has_an_amount'), models.CheckConstraint(condition=models.Q(('payer', models.F('payee')), _negated=True), name='a_correction_is_between_two'), models.CheckConstraint(condition=models.Q(('decided_by', models.F('proposed_by')), ('state', 'APPROVED'), _negated=True), name='a_correction_is_approved_by_another'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('state', 'PROPOSED')), models.Q(models.Q(('state', 'PROPOSED'), _negated=True), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_correction_is_decided_by_somebody'), models.CheckConstraint(condition=models.Q(models.Q(('proposed_by', models.F('payer')), _negated=True), models.Q(('proposed_by', models.F('payee')), _negated=True), models.Q(('decided_by', None), models.Q(models.Q(('decided_by', models.F('payer')), _negated=True), models.Q(('decided_by', models.F('payee')), _negated=True)), _connector='OR')), name='a_correction_is_decided_by_others')],
            },
        ),
        migrations.RunSQL(KEYED_BY_TABLE),
    ]
