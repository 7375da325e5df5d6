import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import tables.models.table
import wallet.money
from django.conf import settings
from django.db import migrations, models


# A table's row is written with every move: room in its page saves writing the indexes.
ROOM_FOR_UPDATES = (
    "ALTER TABLE tables_table SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)"
)



class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ClockOutage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(verbose_name='began at')),
                ('ended_at', models.DateTimeField(verbose_name='ended at')),
            ],
            options={
                'verbose_name': 'outage of the clock',
                'verbose_name_plural': 'outages of the clock',
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('RUNNING', 'Running'), ('FINISHED', 'Finished'), ('CANCELLED', 'Cancelled')], default='RUNNING', max_length=10, verbose_name='status')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('players', models.JSONField(help_text='Seat number to the sitting, the user and the name.', verbose_name='players')),
                ('participants', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('order', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), size=None)),
                ('tossed', models.BooleanField()),
                ('started_ms', models.BigIntegerField()),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='started at')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended at')),
                ('result', models.JSONField(blank=True, null=True, verbose_name='result')),
                ('settlement', models.JSONField(blank=True, null=True, verbose_name='settlement')),
                ('is_rated', models.BooleanField(default=False, verbose_name='rated')),
                ('counted_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_for', models.CharField(blank=True, default='', max_length=200, verbose_name='cancelled because')),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
                'permissions': [('cancel_match', 'Can cancel a running match')],
            },
        ),
        migrations.CreateModel(
            name='ClockBeat',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('beat_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'beat of the clock',
                'verbose_name_plural': 'beats of the clock',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='there_is_one_row_of_the_clock')],
            },
        ),
        migrations.CreateModel(
            name='MatchArchive',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='archive', serialize=False, to='tables.match')),
                ('changes', models.BinaryField()),
                ('archived_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'verbose_name': 'archive of a match',
                'verbose_name_plural': 'archives of matches',
                'db_table': 'tables_match_archive',
            },
        ),
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('seed', models.BinaryField(max_length=32)),
                ('client_seeds', models.JSONField(blank=True, default=dict)),
                ('commitment', models.CharField(max_length=64, verbose_name='commitment')),
                ('started_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='started at')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deals', to='tables.match')),
            ],
            options={
                'verbose_name': 'deal',
                'verbose_name_plural': 'deals',
            },
        ),
        migrations.CreateModel(
            name='MatchLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(max_length=32, unique=True, verbose_name='token')),
                ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='made at')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='links', to='tables.match')),
            ],
            options={
                'verbose_name': 'link to a match',
                'verbose_name_plural': 'links to matches',
            },
        ),
        migrations.CreateModel(
            name='PlayerRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.CharField(choices=[('POINTS', 'Points'), ('POOL', 'Pool'), ('DEALS', 'Deals')], max_length=10, verbose_name='format')),
                ('value', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(verbose_name='deviation')),
                ('volatility', models.FloatField(verbose_name='volatility')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches')),
                ('rated_at', models.DateTimeField(verbose_name='last match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'rating',
                'verbose_name_plural': 'ratings',
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.CharField(choices=[('POINTS', 'Points'), ('POOL', 'Pool'), ('DEALS', 'Deals')], max_length=10, verbose_name='format')),
                ('value_before', models.FloatField(verbose_name='rating before')),
                ('deviation_before', models.FloatField(verbose_name='deviation before')),
                ('value', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(verbose_name='deviation')),
                ('volatility', models.FloatField(verbose_name='volatility')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to='tables.match')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'change of a rating',
                'verbose_name_plural': 'changes of ratings',
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
                ('deal', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.deal', verbose_name='deal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='support_cases', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'support case',
                'verbose_name_plural': 'support cases',
                'permissions': [('answer_supportcase', 'Can answer and close support cases')],
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
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='tables.supportcase')),
            ],
            options={
                'verbose_name': 'message to the staff',
                'verbose_name_plural': 'messages to the staff',
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('game', models.CharField(default='indian', max_length=20, verbose_name='game')),
                ('format', models.CharField(choices=[('POINTS', 'Points'), ('POOL', 'Pool'), ('DEALS', 'Deals')], max_length=10, verbose_name='format')),
                ('rules', models.JSONField(help_text='The rule set, fixed when the table opens.', verbose_name='rules')),
                ('max_seats', models.PositiveSmallIntegerField(default=6, verbose_name='seats')),
                ('currency', models.CharField(choices=[(wallet.money.Currency['CHIPS'], wallet.money.Currency['CHIPS']), (wallet.money.Currency['INR'], wallet.money.Currency['INR'])], default=wallet.money.Currency['CHIPS'], max_length=5, verbose_name='currency')),
                ('point_value', models.BigIntegerField(default=0, help_text='For points rummy; otherwise 0.', verbose_name='point value')),
                ('entry_fee', models.BigIntegerField(default=0, help_text='For pool and deals rummy; otherwise 0.', verbose_name='entry fee')),
                ('min_buy_in', models.BigIntegerField(verbose_name='least buy-in')),
                ('max_buy_in', models.BigIntegerField(verbose_name='largest buy-in')),
                ('rake_bps', models.PositiveIntegerField(verbose_name='rake in basis points')),
                ('rake_cap', models.BigIntegerField(blank=True, null=True, verbose_name='largest rake')),
                ('bots_wanted', models.PositiveSmallIntegerField(default=0, help_text='Bots that join a waiting player. Only for chips.', verbose_name='practice bots')),
                ('bot_strength', models.CharField(choices=[('easy', 'Easy'), ('medium', 'Medium'), ('hard', 'Hard')], default='medium', max_length=10, verbose_name='strength of the bots')),
                ('is_rated', models.BooleanField(default=False, help_text='Matches change ratings. Not with practice bots.', verbose_name='rated')),
                ('offers_arrangement', models.BooleanField(default=False, help_text='One press lays a hand out. At practice tables always.', verbose_name='offers the best arrangement')),
                ('offers_verdict', models.BooleanField(default=False, help_text='Whether groups would be a right declaration. At practice tables always.', verbose_name='offers the verdict before declaring')),
                ('allows_api_players', models.BooleanField(default=False, help_text="API players may sit here: players' own programs. Only for chips.", verbose_name='allows API players')),
                ('is_lesson', models.BooleanField(default=False, help_text='The guided first deal of whoever opened it.', verbose_name='lesson')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='opened at')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed at')),
                ('event_url', models.CharField(blank=True, default='', help_text='The page of the event that the table belongs to; empty: anybody may sit.', max_length=100, verbose_name='event')),
                ('invite_code', models.CharField(blank=True, default='', help_text='Who knows it may sit down; empty: anybody may.', max_length=16, verbose_name='invitation')),
                ('last_deal_at', models.DateTimeField(blank=True, help_text='No further deal begins after this.', null=True, verbose_name='last deal')),
                ('status', models.CharField(choices=[('WAITING', 'Waiting for players'), ('STARTING', 'Starting'), ('PLAYING', 'Playing'), ('BETWEEN', 'Between deals'), ('CLOSED', 'Closed')], default='WAITING', max_length=10, verbose_name='status')),
                ('epoch', models.CharField(default=tables.models.table.new_epoch, max_length=8)),
                ('version', models.BigIntegerField(default=0)),
                ('turn_version', models.BigIntegerField(default=0)),
                ('state', models.BinaryField(blank=True, null=True)),
                ('bot_seats', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), blank=True, default=list, size=None)),
                ('next_order', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), blank=True, null=True, size=None)),
                ('next_seed', models.BinaryField(max_length=32)),
                ('client_seeds', models.JSONField(blank=True, default=dict)),
                ('drop_seats', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), blank=True, default=list, size=None)),
                ('offer_at', models.DateTimeField(blank=True, null=True)),
                ('settlement', models.JSONField(blank=True, null=True)),
                ('broken_at', models.DateTimeField(blank=True, null=True, verbose_name='out of order since')),
                ('outage_id', models.BigIntegerField(default=0)),
                ('deadline_at', models.DateTimeField(blank=True, null=True)),
                ('bot_due_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Least('deadline_at', 'bot_due_at'), output_field=models.DateTimeField(null=True))),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('opened_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('status', models.CharField(choices=[('WAITING', 'Waiting for the next deal'), ('PLAYING', 'Playing'), ('LEAVING', 'Leaving after this deal'), ('LEFT', 'Left')], default='WAITING', max_length=10, verbose_name='status')),
                ('is_last_deal', models.BooleanField(default=False, help_text='The player leaves after the running match.', verbose_name='last deal')),
                ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='sat down at')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left at')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to='tables.table')),
            ],
            options={
                'verbose_name': 'sitting',
                'verbose_name_plural': 'sittings',
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('ABUSE', 'Insults or threats'), ('COLLUSION', 'Players who help each other'), ('CHEATING', 'Cheating or a program that plays'), ('NAME', 'An improper name'), ('OTHER', 'Something else')], max_length=10, verbose_name='reason')),
                ('words', models.CharField(blank=True, default='', max_length=500, verbose_name="in the player's words")),
                ('chat', models.JSONField(default=list, verbose_name='chat at that time')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='reported at')),
                ('status', models.CharField(choices=[('OPEN', 'Open'), ('ACTED', 'Acted upon'), ('DISMISSED', 'Dismissed')], default='OPEN', max_length=10, verbose_name='status')),
                ('note', models.CharField(blank=True, default='', max_length=500, verbose_name='note of the staff')),
                ('handled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('reported', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports_about', to=settings.AUTH_USER_MODEL)),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'verbose_name': 'report about a player',
                'verbose_name_plural': 'reports about players',
            },
        ),
        migrations.CreateModel(
            name='QueuePlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='waits since')),
                ('offered_until', models.DateTimeField(blank=True, null=True, verbose_name='chair kept until')),
                ('hold_id', models.BigIntegerField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue_places', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue', to='tables.table')),
            ],
            options={
                'verbose_name': 'place in a waiting list',
                'verbose_name_plural': 'places in waiting lists',
            },
        ),
        migrations.AddField(
            model_name='match',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='tables.table'),
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phrase', models.CharField(blank=True, default='', max_length=20, verbose_name='phrase')),
                ('text', models.CharField(blank=True, default='', max_length=160, verbose_name='text')),
                ('said_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='said at')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='tables.table')),
            ],
            options={
                'verbose_name': 'line of a chat',
                'verbose_name_plural': 'lines of chats',
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.BigIntegerField(null=True)),
                ('kind', models.CharField(choices=[('MOVE', "A player's move"), ('EXPIRY', 'A deadline that passed'), ('POSTPONED', 'Deadlines moved back after an outage'), ('CONCLUDED', 'The time for further deals was over'), ('OFFERED', 'A question that the table asked by itself'), ('CANCELLED', 'Cancelled by staff'), ('STARTED', 'A match began'), ('SEATING', 'Somebody sat down or left')], max_length=10)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('move', models.JSONField(null=True)),
                ('move_id', models.UUIDField(null=True)),
                ('at_ms', models.BigIntegerField()),
                ('events', models.JSONField()),
                ('patch', models.JSONField()),
                ('private', models.JSONField(help_text='Seat number to what only that seat gets.')),
                ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='tables.match')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='tables.table')),
            ],
            options={
                'verbose_name': 'change',
                'verbose_name_plural': 'changes',
            },
        ),
        migrations.CreateModel(
            name='TableFault',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('happened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='happened at')),
                ('doing', models.CharField(choices=[('MOVE', "A player's move"), ('DEADLINE', 'What happens by itself'), ('OUTAGE', 'Giving time back after an outage'), ('OFFER', 'A question of the table')], max_length=10, verbose_name='doing')),
                ('error', models.CharField(max_length=300, verbose_name='error')),
                ('traceback', models.TextField(verbose_name='traceback')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resolved at')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('resolved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='faults', to='tables.table')),
            ],
            options={
                'verbose_name': 'fault of a table',
                'verbose_name_plural': 'faults of tables',
            },
        ),
        migrations.CreateModel(
            name='TableTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('preset', models.CharField(default='points', help_text='For instance points, pool101.', max_length=40, verbose_name='rules')),
                ('max_seats', models.PositiveSmallIntegerField(default=6, verbose_name='seats')),
                ('currency', models.CharField(choices=[(wallet.money.Currency['CHIPS'], wallet.money.Currency['CHIPS']), (wallet.money.Currency['INR'], wallet.money.Currency['INR'])], default=wallet.money.Currency['CHIPS'], max_length=5, verbose_name='currency')),
                ('point_value', models.BigIntegerField(default=0, help_text='For points rummy; otherwise 0.', verbose_name='point value')),
                ('entry_fee', models.BigIntegerField(default=0, help_text='For pool and deals rummy; otherwise 0.', verbose_name='entry fee')),
                ('bots_wanted', models.PositiveSmallIntegerField(default=0, help_text='Bots that join a waiting player. Only for chips.', verbose_name='practice bots')),
                ('bot_strength', models.CharField(choices=[('easy', 'Easy'), ('medium', 'Medium'), ('hard', 'Hard')], default='medium', max_length=10, verbose_name='strength of the bots')),
                ('is_rated', models.BooleanField(default=False, help_text='Matches change ratings. Not with practice bots.', verbose_name='rated')),
                ('offers_arrangement', models.BooleanField(default=False, help_text='One press lays a hand out. At practice tables always.', verbose_name='offers the best arrangement')),
                ('offers_verdict', models.BooleanField(default=False, help_text='Whether groups would be a right declaration. At practice tables always.', verbose_name='offers the verdict before declaring')),
                ('allows_api_players', models.BooleanField(default=False, help_text="API players may sit here: players' own programs. Only for chips.", verbose_name='allows API players')),
                ('is_open', models.BooleanField(default=True, help_text='Whether tables of this kind are kept open.', verbose_name='open')),
            ],
            options={
                'verbose_name': 'table template',
                'verbose_name_plural': 'table templates',
                'constraints': [models.CheckConstraint(condition=models.Q(('max_seats__gte', 2), ('max_seats__lte', 6)), name='a_template_has_two_to_six_seats', violation_error_message='A table has two to six seats.'), models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='template_bots_play_for_chips_only', violation_error_message='Bots play for chips only.'), models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('is_rated', False), _connector='OR'), name='a_template_with_bots_is_not_rated', violation_error_message='Tables with practice bots are not rated.'), models.CheckConstraint(condition=models.Q(('allows_api_players', False), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='template_api_players_play_for_chips_only', violation_error_message='API players play for chips only.'), models.CheckConstraint(condition=models.Q(models.Q(('entry_fee', 0), ('point_value__gt', 0)), models.Q(('entry_fee__gt', 0), ('point_value', 0)), _connector='OR'), name='a_template_is_for_points_or_for_an_entry_fee', violation_error_message='Give either a point value or an entry fee.')],
            },
        ),
        migrations.AddField(
            model_name='table',
            name='template',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.tabletemplate'),
        ),
        migrations.CreateModel(
            name='DayTotal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.CharField(choices=[('POINTS', 'Points'), ('POOL', 'Pool'), ('DEALS', 'Deals')], max_length=10)),
                ('day', models.DateField()),
                ('chips', models.BigIntegerField(default=0)),
                ('matches', models.PositiveIntegerField(default=0)),
                ('rated_matches', models.PositiveIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'day of a player',
                'verbose_name_plural': 'days of players',
                'constraints': [models.UniqueConstraint(fields=('format', 'day', 'user'), name='a_player_has_one_total_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='IgnoredPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ignored', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ignored', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'ignored player',
                'verbose_name_plural': 'ignored players',
                'constraints': [models.UniqueConstraint(fields=('user', 'ignored'), name='a_player_is_ignored_once'), models.CheckConstraint(condition=models.Q(('user', models.F('ignored')), _negated=True), name='nobody_ignores_himself')],
            },
        ),
        migrations.CreateModel(
            name='LeaderboardPlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.CharField(choices=[('RATING', 'Rating'), ('CHIPS', 'Chips won')], max_length=10)),
                ('format', models.CharField(choices=[('POINTS', 'Points'), ('POOL', 'Pool'), ('DEALS', 'Deals')], max_length=10)),
                ('period', models.CharField(choices=[('DAY', 'Today'), ('WEEK', 'This week'), ('ALL', 'All time')], max_length=10)),
                ('place', models.PositiveIntegerField()),
                ('value', models.BigIntegerField()),
                ('matches', models.PositiveIntegerField()),
                ('drawn_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'place of a leaderboard',
                'verbose_name_plural': 'places of leaderboards',
                'indexes': [models.Index(fields=['board', 'format', 'period', 'place'], name='places_of_a_leaderboard')],
                'constraints': [models.UniqueConstraint(fields=('board', 'format', 'period', 'user'), name='a_player_has_one_place_on_a_leaderboard')],
            },
        ),
        migrations.AddConstraint(
            model_name='deal',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='a_deal_has_its_own_number_in_the_match'),
        ),
        migrations.AddConstraint(
            model_name='matchlink',
            constraint=models.UniqueConstraint(fields=('match', 'made_by'), name='a_player_has_one_link_to_a_match'),
        ),
        migrations.AddConstraint(
            model_name='playerrating',
            constraint=models.UniqueConstraint(fields=('user', 'format'), name='a_player_has_one_rating_in_a_format'),
        ),
        migrations.AddConstraint(
            model_name='ratingchange',
            constraint=models.UniqueConstraint(fields=('match', 'user'), name='a_match_changes_a_rating_once'),
        ),
        migrations.AddIndex(
            model_name='supportcase',
            index=models.Index(fields=['state', 'changed_at'], name='support_cases_by_state'),
        ),
        migrations.AddIndex(
            model_name='supportcase',
            index=models.Index(fields=['user', '-id'], name='support_cases_of_a_player'),
        ),
        migrations.AddConstraint(
            model_name='supportcase',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('deal__isnull', False), ('evidence__isnull', False), ('topic', 'DEAL')), models.Q(models.Q(('topic', 'DEAL'), _negated=True), ('deal__isnull', True), ('evidence__isnull', True)), _connector='OR'), name='a_case_about_a_deal_has_it_and_its_evidence'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'number'), name='one_person_to_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'user'), name='one_seat_to_a_person_at_a_table'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(('reporter', models.F('reported')), _negated=True), name='nobody_reports_himself'),
        ),
        migrations.AddConstraint(
            model_name='queueplace',
            constraint=models.UniqueConstraint(fields=('table', 'user'), name='a_player_waits_once_for_a_table'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=django.contrib.postgres.indexes.GinIndex(fields=['participants'], name='match_participants'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('counted_at__isnull', True), ('status', 'FINISHED')), fields=['ended_at', 'id'], name='match_uncounted'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'RUNNING')), fields=('table',), name='a_table_plays_one_match_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='chatline',
            index=models.Index(fields=['table', '-id'], name='chat_of_a_table'),
        ),
        migrations.AddConstraint(
            model_name='chatline',
            constraint=models.CheckConstraint(condition=models.Q(('phrase', ''), ('text', ''), _connector='XOR'), name='a_line_is_a_phrase_or_words'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.UniqueConstraint(fields=('table', 'version'), name='versions_of_a_table_rise_one_by_one'),
        ),
        migrations.AddConstraint(
            model_name='change',
            constraint=models.UniqueConstraint(condition=models.Q(('move_id__isnull', False)), fields=('table', 'move_id'), name='a_move_is_played_once'),
        ),
        migrations.AddConstraint(
            model_name='tablefault',
            constraint=models.UniqueConstraint(condition=models.Q(('resolved_at__isnull', True)), fields=('table',), name='a_table_has_one_open_fault'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='table_due'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('offer_at__isnull', False)), fields=['offer_at'], name='table_offer'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('event_url', ''), ('status__in', ['WAITING', 'STARTING', 'BETWEEN'])), fields=['format'], name='table_between'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('max_seats__gte', 2), ('max_seats__lte', 6)), name='a_table_has_two_to_six_seats'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='bots_play_for_chips_only'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('bot_seats', []), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='bots_sit_for_chips_only'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('is_rated', False), _connector='OR'), name='a_table_with_bots_is_not_rated'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('max_buy_in__gte', models.F('min_buy_in')), ('min_buy_in__gt', 0)), models.Q(models.Q(('event_url', ''), _negated=True), ('max_buy_in', 0), ('min_buy_in', 0)), _connector='OR'), name='the_largest_buy_in_is_not_below_the_least'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('rake_bps__lte', 10000)), name='rake_is_at_most_the_whole_pot'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('entry_fee', 0), ('point_value__gt', 0)), models.Q(('entry_fee__gt', 0), ('point_value', 0)), models.Q(models.Q(('event_url', ''), _negated=True), ('entry_fee', 0), ('point_value', 0)), _connector='OR'), name='a_table_is_for_points_or_for_an_entry_fee_or_of_an_event'),
        ),
        migrations.RunSQL(ROOM_FOR_UPDATES),
    ]
