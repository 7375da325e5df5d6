import core.database.translated_texts
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import tables.models.table
import wallet.money
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration

# Every move updates a table's row. Free room in its page lets the update touch no index.
ROOM_FOR_UPDATES = (
    "ALTER TABLE tables_table SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)"
)
# Keep a table's number of taken seats in its row, so that the lobby finds free seats without counting.
# Seats are inserted one at a time and, for a round of a tournament, by the thousand.
COUNT_SEATS = """
CREATE FUNCTION tables_count_new_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tables_table t SET seats_taken = t.seats_taken + made.number
  FROM (SELECT table_id, count(*) AS number FROM new_seats WHERE left_at IS NULL GROUP BY table_id)
    AS made
  WHERE t.id = made.table_id;
  RETURN NULL;
END $$;
CREATE FUNCTION tables_count_left_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE tables_table SET seats_taken = seats_taken - 1 WHERE id = OLD.table_id;
  ELSE
    UPDATE tables_table
    SET seats_taken = seats_taken + CASE WHEN NEW.left_at IS NULL THEN 1 ELSE -1 END
    WHERE id = NEW.table_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tables_seat_is_taken AFTER INSERT ON tables_seat
  REFERENCING NEW TABLE AS new_seats FOR EACH STATEMENT EXECUTE FUNCTION tables_count_new_seats();
CREATE TRIGGER tables_seat_is_left AFTER UPDATE OF left_at ON tables_seat
  FOR EACH ROW WHEN ((OLD.left_at IS NULL) <> (NEW.left_at IS NULL))
  EXECUTE FUNCTION tables_count_left_seats();
CREATE TRIGGER tables_seat_is_gone AFTER DELETE ON tables_seat
  FOR EACH ROW WHEN (OLD.left_at IS NULL) EXECUTE FUNCTION tables_count_left_seats();
"""
# What belongs to a table has its table in every key, so that the rows of a table can be kept together, apart from
# those of others (docs/adr/0018-play-keyed-by-table.md). A key begins with the number that Django looks rows up by.
KEYED_BY_TABLE = "".join(
    f"ALTER TABLE {name} DROP CONSTRAINT {name}_pkey, ADD PRIMARY KEY ({number}, table_id);"
    for name, number in {
        "tables_seat": "id",
        "tables_queueplace": "id",
        "tables_match": "id",
        "tables_deal": "id",
        "tables_tablefault": "id",
    }.items()
)
# A match is one of the same table.
MATCHES_OF_THE_TABLE = "".join(
    f"ALTER TABLE {name} ADD FOREIGN KEY (match_id, {table}) REFERENCES tables_match (id, table_id)"
    " DEFERRABLE INITIALLY DEFERRED;"
    for name, table in {
        "tables_table": "id",
        "tables_deal": "table_id",
        "tables_tablefault": "table_id",
    }.items()
)
# Changes are kept by day, by `at_ms` in UTC, and a day goes as a whole (history/days.py). What belongs to no day
# that is open lies in tables_change_other. A key of all days would have to hold `at_ms`, so each part has its own. The index
# of matches and the reference to the table are Django's, which come at the end of the migration.
CHANGES_BY_DAY = """
CREATE TABLE changes_by_day (LIKE tables_change INCLUDING CONSTRAINTS) PARTITION BY RANGE (at_ms);
DROP TABLE tables_change;
ALTER TABLE changes_by_day RENAME TO tables_change;
CREATE SEQUENCE tables_change_id_seq OWNED BY tables_change.id;
ALTER TABLE tables_change
  ALTER id SET DEFAULT nextval('tables_change_id_seq'),
  ADD FOREIGN KEY (match_id, table_id) REFERENCES tables_match (id, table_id) DEFERRABLE INITIALLY DEFERRED;

CREATE FUNCTION tables_add_part(p_part text, p_rows text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I PARTITION OF tables_change (
    PRIMARY KEY (id, table_id), UNIQUE (table_id, version)) %s', p_part, p_rows);
  EXECUTE format('CREATE UNIQUE INDEX ON %I (table_id, move_id) WHERE move_id IS NOT NULL', p_part);
END $$;
SELECT tables_add_part('tables_change_other', 'DEFAULT');

CREATE FUNCTION tables_midnight(p_day date) RETURNS bigint LANGUAGE sql IMMUTABLE
  AS $$ SELECT extract(epoch FROM p_day)::bigint * 1000 $$;

-- Make a part for each of these days that has none. A day of which there are rows already stays with the others.
CREATE FUNCTION tables_open_days(p_first date, p_last date) RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  v_day date; v_part text; v_from bigint; v_until bigint; v_opened int := 0;
BEGIN
  FOR v_day IN SELECT p_first + n FROM generate_series(0, p_last - p_first) n LOOP
    v_part := 'tables_change_' || to_char(v_day, 'YYYYMMDD');
    v_from := tables_midnight(v_day);
    v_until := tables_midnight(v_day + 1);
    CONTINUE WHEN to_regclass(v_part) IS NOT NULL
      OR EXISTS (SELECT FROM tables_change_other WHERE at_ms >= v_from AND at_ms < v_until);
    PERFORM tables_add_part(v_part, format('FOR VALUES FROM (%s) TO (%s)', v_from, v_until));
    v_opened := v_opened + 1;
  END LOOP;
  RETURN v_opened;
END $$;

-- Drop the oldest day before p_before that can go, and return it. Changes of matches that are not packed go to
-- tables_change_other; with more than p_most of them a day stays. Changes of no match have been told to everybody and go, too.
CREATE FUNCTION tables_close_day(p_before date, p_most int) RETURNS date LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
  v_part text; v_day date; v_goes_on bigint[]; v_number int;
BEGIN
  FOR v_part, v_day IN
    SELECT relname, to_date(right(relname, 8), 'YYYYMMDD') FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'tables_change'::regclass AND relname ~ '^tables_change_[0-9]{8}$' ORDER BY relname
  LOOP
    EXIT WHEN v_day >= p_before;
    v_goes_on := ARRAY(SELECT id FROM tables_match WHERE packed_at IS NULL AND started_at < v_day + 2);
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE match_id = ANY ($1) LIMIT $2) kept', v_part)
      INTO v_number USING v_goes_on, p_most + 1;
    CONTINUE WHEN v_number > p_most;
    -- All locks at first: whoever waits for one of them waits for the few milliseconds of what follows.
    LOCK TABLE tables_table, tables_match, tables_change;
    EXECUTE format('ALTER TABLE tables_change DETACH PARTITION %I', v_part);
    EXECUTE format('INSERT INTO tables_change SELECT * FROM %I WHERE match_id = ANY ($1)', v_part)
      USING v_goes_on;
    EXECUTE format('DROP TABLE %I', v_part);
    RETURN v_day;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION tables_add_part FROM PUBLIC;
SELECT tables_open_days(today, today + 1) FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS utc;
"""


class Migration(CreatingMigration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'blocked player',
                'verbose_name_plural': 'blocked players',
                'constraints': [models.UniqueConstraint(fields=('user', 'blocked'), name='a_player_is_blocked_once'), models.CheckConstraint(condition=models.Q(('user', models.F('blocked')), _negated=True), name='nobody_blocks_themselves')],
            },
        ),
        migrations.CreateModel(
            name='ChipsPassed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('chips', models.BigIntegerField(default=0)),
                ('one_origin', models.BooleanField(default=False)),
                ('high', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('low', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'chips between two players',
                'verbose_name_plural': 'chips between two players',
                'constraints': [models.UniqueConstraint(fields=('day', 'low', 'high'), name='a_pair_has_one_day'), models.CheckConstraint(condition=models.Q(('low__lt', models.F('high'))), name='a_pair_is_in_order')],
            },
        ),
        migrations.CreateModel(
            name='ClockBeat',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('beat_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'heartbeat of the clock',
                'verbose_name_plural': 'heartbeats of the clock',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='there_is_one_row_of_the_clock')],
            },
        ),
        migrations.CreateModel(
            name='ClockOutage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField(verbose_name='began at')),
                ('ended_at', models.DateTimeField(verbose_name='ended at')),
            ],
            options={
                'verbose_name': 'clock outage',
                'verbose_name_plural': 'clock outages',
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('followed', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'followed player',
                'verbose_name_plural': 'followed players',
                'constraints': [models.UniqueConstraint(fields=('user', 'followed'), name='a_player_is_followed_once'), models.CheckConstraint(condition=models.Q(('user', models.F('followed')), _negated=True), name='nobody_follows_themselves')],
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
            name='PairEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('matches', models.PositiveIntegerField(default=0, verbose_name='matches together')),
                ('q', models.FloatField(default=1.0, verbose_name='false discovery rate')),
                ('kinds', models.JSONField(default=dict)),
                ('money', models.JSONField(default=dict)),
                ('computed_at', models.DateTimeField(null=True, verbose_name='computed at')),
                ('state', models.CharField(choices=[('NEW', 'New'), ('WATCHED', 'Watched'), ('CLOSED', 'Closed')], default='NEW', max_length=10, verbose_name='state')),
                ('verdict', models.CharField(blank=True, choices=[('', 'None yet'), ('UPHELD', 'They play together'), ('UNFOUNDED', 'Nothing wrong')], default='', max_length=10, verbose_name='verdict')),
                ('reason', models.CharField(blank=True, default='', max_length=500, verbose_name='reason')),
                ('decided_at', models.DateTimeField(blank=True, null=True, verbose_name='decided at')),
                ('kept_apart_since', models.DateTimeField(blank=True, null=True, verbose_name='kept apart since')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('high', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='second player')),
                ('low', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='first player')),
            ],
            options={
                'verbose_name': 'pair of players',
                'verbose_name_plural': 'fair play',
                'permissions': [('decide_pairevidence', 'Can decide about two players')],
                'indexes': [models.Index(condition=models.Q(('kept_apart_since__isnull', False)), fields=['low', 'high'], name='pairs_kept_apart'), models.Index(fields=['q'], name='pairs_by_evidence')],
                'constraints': [models.UniqueConstraint(fields=('low', 'high'), name='two_players_are_one_pair'), models.CheckConstraint(condition=models.Q(('low__lt', models.F('high'))), name='the_lower_player_comes_first')],
            },
        ),
        migrations.CreateModel(
            name='PlayerRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('format', models.CharField(max_length=10, verbose_name='format')),
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
                'constraints': [models.UniqueConstraint(fields=('user', 'game', 'format'), name='a_player_has_one_rating_in_a_format')],
            },
        ),
        migrations.CreateModel(
            name='HouseRules',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('name', models.CharField(help_text='Players see it in the title of a table.', max_length=60, verbose_name='name')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('preset', models.CharField(max_length=40, verbose_name='based on')),
                ('changes', models.JSONField(blank=True, default=dict, verbose_name='own rules')),
            ],
            options={
                'verbose_name': 'house rules',
                'verbose_name_plural': 'house rules',
                'ordering': ('game', 'name'),
            },
        ),
        migrations.CreateModel(
            name='TableTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('max_seats', models.PositiveSmallIntegerField(default=6, verbose_name='seats')),
                ('currency', models.CharField(choices=[(wallet.money.Currency['CHIPS'], wallet.money.Currency['CHIPS']), (wallet.money.Currency['INR'], wallet.money.Currency['INR'])], default=wallet.money.Currency['CHIPS'], max_length=5, verbose_name='currency')),
                ('point_value', models.BigIntegerField(default=0, help_text='For games played for points; otherwise 0.', verbose_name='point value')),
                ('entry_fee', models.BigIntegerField(default=0, help_text='For games played for a pot; otherwise 0.', verbose_name='entry fee')),
                ('bots_wanted', models.PositiveSmallIntegerField(default=0, help_text='Bots that join a waiting player. Only for chips.', verbose_name='practice bots')),
                ('bot_strength', models.CharField(choices=[('easy', 'Easy'), ('medium', 'Medium'), ('hard', 'Hard'), ('expert', 'Expert')], default='medium', max_length=10, verbose_name='strength of the bots')),
                ('is_rated', models.BooleanField(default=False, help_text="Matches change the players' ratings. Not possible with practice bots.", verbose_name='rated')),
                ('offers_arrangement', models.BooleanField(default=False, help_text='One press of a button arranges the hand. Practice tables always offer it.', verbose_name='offers the best arrangement')),
                ('offers_verdict', models.BooleanField(default=False, help_text='Whether the groups would be a valid declaration. Practice tables always offer it.', verbose_name='offers the verdict before declaring')),
                ('allows_api_players', models.BooleanField(default=False, help_text="API players may sit here: players' own programs. Only for chips.", verbose_name='allows API players')),
                ('one_account_per', models.CharField(blank=True, choices=[('', 'No: everybody may sit together'), ('device', 'One account per browser'), ('address', 'One account per browser and per internet address')], db_default='device', default='device', help_text="Which accounts may not sit together. A household, an office or a carrier's mobile phones may share an address. Cash tables with three or more seats always apply the strictest choice.", max_length=10, verbose_name='accounts from one place')),
                ('preset', models.CharField(help_text='A rule set of the game, for instance pool101.', max_length=40, verbose_name='rules')),
                ('is_open', models.BooleanField(default=True, help_text='Whether tables of this kind are kept open.', verbose_name='open')),
                ('house_rules', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='table_templates', to='tables.houserules', verbose_name='house rules')),
            ],
            options={
                'verbose_name': 'table template',
                'verbose_name_plural': 'table templates',
                'constraints': [models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='template_bots_play_for_chips_only', violation_error_message='Bots play for chips only.'), models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('is_rated', False), _connector='OR'), name='a_template_with_bots_is_not_rated', violation_error_message='Tables with practice bots are not rated.'), models.CheckConstraint(condition=models.Q(('allows_api_players', False), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='template_api_players_play_for_chips_only', violation_error_message='API players play for chips only.'), models.CheckConstraint(condition=models.Q(models.Q(('entry_fee', 0), ('point_value__gt', 0)), models.Q(('entry_fee__gt', 0), ('point_value', 0)), _connector='OR'), name='a_template_is_for_points_or_for_an_entry_fee', violation_error_message='Give either a point value or an entry fee.'), models.CheckConstraint(condition=models.Q(('max_seats__gte', 2), ('max_seats__lte', 8)), name='a_template_has_two_to_eight_seats', violation_error_message='A table has two to eight seats.')],
            },
        ),
        migrations.CreateModel(
            name='UsualTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20)),
                ('choices', models.JSONField()),
                ('chosen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'usual private table',
                'verbose_name_plural': 'usual private tables',
                'constraints': [models.UniqueConstraint(fields=('user', 'game'), name='a_player_has_one_usual_table')],
            },
        ),
        migrations.CreateModel(
            name='HostBounds',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(max_length=20, unique=True, verbose_name='game')),
                ('names', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, help_text='All other rules stay as the chosen kind of table sets them.', size=None, verbose_name='rules that hosts may change')),
            ],
            options={
                'verbose_name': 'rules for hosts',
                'verbose_name_plural': 'rules for hosts',
                'ordering': ('game',),
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, verbose_name='name')),
                ('name_skeleton', models.CharField(editable=False, max_length=100)),
                ('about', models.CharField(blank=True, default='', max_length=300, verbose_name='about the club')),
                ('icon', models.CharField(blank=True, default='', max_length=10, verbose_name='icon')),
                ('join_by', models.CharField(choices=[('link', 'The link lets people in at once'), ('approval', 'An officer approves every request')], default='approval', max_length=8, verbose_name='way to join')),
                ('invite_code', models.CharField(editable=False, max_length=16)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='founded at')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed at')),
                ('closed_for', models.CharField(blank=True, default='', max_length=200, verbose_name='closed because')),
                ('evening_weekday', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='evening: weekday')),
                ('evening_time', models.TimeField(blank=True, null=True, verbose_name='evening: time')),
                ('evening_game', models.CharField(blank=True, default='', max_length=20)),
                ('evening_rules', models.CharField(blank=True, default='', max_length=40)),
                ('evening_seats', models.PositiveSmallIntegerField(default=4)),
                ('evening_at', models.DateTimeField(blank=True, null=True, verbose_name='next evening')),
                ('founder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='founder')),
                ('evening_house_rules', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tables.houserules')),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
                'permissions': [('decide_club', 'Can close clubs and pass them on')],
                'indexes': [models.Index(condition=models.Q(('evening_at__isnull', False)), fields=['evening_at'], name='club_evening')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True)), fields=('name_skeleton',), name='open_clubs_look_different'), models.CheckConstraint(condition=models.Q(('closed_at__isnull', True), ('evening_at__isnull', True), _connector='OR'), name='a_closed_club_has_no_evening')],
            },
        ),
        migrations.CreateModel(
            name='ClubMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('officer', 'Officer'), ('member', 'Member'), ('asked', 'Has asked to join'), ('removed', 'Removed')], max_length=8, verbose_name='role')),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='since')),
                ('is_told', models.BooleanField(db_default=True, default=True, verbose_name='notified of club evenings')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='tables.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'member of a club',
                'verbose_name_plural': 'members of clubs',
                'indexes': [models.Index(fields=['user'], name='clubs_of_a_person')],
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='a_person_is_in_a_club_once'), models.UniqueConstraint(condition=models.Q(('role', 'owner')), fields=('club',), name='a_club_has_one_owner')],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('game', models.CharField(max_length=20, verbose_name='game')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('max_seats', models.PositiveSmallIntegerField(default=6, verbose_name='seats')),
                ('currency', models.CharField(choices=[(wallet.money.Currency['CHIPS'], wallet.money.Currency['CHIPS']), (wallet.money.Currency['INR'], wallet.money.Currency['INR'])], default=wallet.money.Currency['CHIPS'], max_length=5, verbose_name='currency')),
                ('point_value', models.BigIntegerField(default=0, help_text='For games played for points; otherwise 0.', verbose_name='point value')),
                ('entry_fee', models.BigIntegerField(default=0, help_text='For games played for a pot; otherwise 0.', verbose_name='entry fee')),
                ('bots_wanted', models.PositiveSmallIntegerField(default=0, help_text='Bots that join a waiting player. Only for chips.', verbose_name='practice bots')),
                ('bot_strength', models.CharField(choices=[('easy', 'Easy'), ('medium', 'Medium'), ('hard', 'Hard'), ('expert', 'Expert')], default='medium', max_length=10, verbose_name='strength of the bots')),
                ('awaits_press', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='waits until a player asks to go on')),
                ('is_rated', models.BooleanField(default=False, help_text="Matches change the players' ratings. Not possible with practice bots.", verbose_name='rated')),
                ('offers_arrangement', models.BooleanField(default=False, help_text='One press of a button arranges the hand. Practice tables always offer it.', verbose_name='offers the best arrangement')),
                ('offers_verdict', models.BooleanField(default=False, help_text='Whether the groups would be a valid declaration. Practice tables always offer it.', verbose_name='offers the verdict before declaring')),
                ('allows_api_players', models.BooleanField(default=False, help_text="API players may sit here: players' own programs. Only for chips.", verbose_name='allows API players')),
                ('one_account_per', models.CharField(blank=True, choices=[('', 'No: everybody may sit together'), ('device', 'One account per browser'), ('address', 'One account per browser and per internet address')], db_default='device', default='device', help_text="Which accounts may not sit together. A household, an office or a carrier's mobile phones may share an address. Cash tables with three or more seats always apply the strictest choice.", max_length=10, verbose_name='accounts from one place')),
                ('format', models.CharField(max_length=10, verbose_name='format')),
                ('rules', models.JSONField(help_text='The rule set, fixed when the table opens.', verbose_name='rules')),
                ('min_buy_in', models.BigIntegerField(verbose_name='minimum buy-in')),
                ('max_buy_in', models.BigIntegerField(verbose_name='maximum buy-in')),
                ('rake_bps', models.PositiveIntegerField(verbose_name='rake in basis points')),
                ('rake_cap', models.BigIntegerField(blank=True, null=True, verbose_name='maximum rake')),
                ('is_lesson', models.BooleanField(default=False, help_text='The guided first deal of the player who opened it.', verbose_name='lesson')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='opened at')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed at')),
                ('event_url', models.CharField(blank=True, default='', help_text='The page of the event, such as a tournament, that the table belongs to. Empty: anybody may sit down.', max_length=100, verbose_name='event')),
                ('invite_code', models.CharField(blank=True, default='', help_text='Only those who know this code may sit down. Empty: anybody may.', max_length=16, verbose_name='invitation')),
                ('closing_at', models.DateTimeField(blank=True, help_text='Staff are closing the table: the running match is its last one.', null=True, verbose_name='set to close after the match at')),
                ('removed', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, null=True, size=None)),
                ('last_deal_at', models.DateTimeField(blank=True, help_text='No further deal begins after this time.', null=True, verbose_name='last deal')),
                ('overtime_at', models.DateTimeField(blank=True, help_text='From this time on, turns are short.', null=True, verbose_name='overtime begins at')),
                ('overtime_turn_seconds', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='turn in overtime, in seconds')),
                ('count_at', models.DateTimeField(blank=True, help_text='A deal still running at this time is ended, and its hands are counted.', null=True, verbose_name='hands counted at')),
                ('status', models.CharField(choices=[('WAITING', 'Waiting for players'), ('STARTING', 'Starting'), ('PLAYING', 'Playing'), ('BETWEEN', 'Between deals'), ('CLOSED', 'Closed')], default='WAITING', max_length=10, verbose_name='status')),
                ('epoch', models.CharField(default=tables.models.table.new_epoch, max_length=8)),
                ('version', models.BigIntegerField(default=0)),
                ('turn_version', models.BigIntegerField(default=0)),
                ('state', models.BinaryField(blank=True, null=True)),
                ('seats_taken', models.SmallIntegerField(db_default=0, default=0, editable=False)),
                ('bot_seats', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), blank=True, default=list, size=None)),
                ('next_order', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), blank=True, null=True, size=None)),
                ('next_seed', models.BinaryField(max_length=32)),
                ('client_seeds', models.JSONField(blank=True, default=dict)),
                ('deferred_moves', models.JSONField(blank=True, default=dict)),
                ('split_offer_at', models.DateTimeField(blank=True, null=True)),
                ('settlement', models.JSONField(blank=True, null=True)),
                ('broken_at', models.DateTimeField(blank=True, null=True, verbose_name='out of order since')),
                ('outage_id', models.BigIntegerField(default=0)),
                ('deadline_at', models.DateTimeField(blank=True, null=True)),
                ('bot_due_at', models.DateTimeField(blank=True, null=True)),
                ('due_at', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Least('deadline_at', 'bot_due_at'), output_field=models.DateTimeField(null=True))),
                ('opened_by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('template', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.tabletemplate')),
                ('rules_title', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='title of the rules')),
                ('house_rules', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.houserules')),
                ('is_slow', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(models.Q(('rules__turn_seconds__gte', 3600)), models.Value(value=False), output_field=models.BooleanField()), output_field=models.BooleanField(verbose_name='slow'))),
                ('bots_take_over', models.BooleanField(db_default=False, default=False, help_text='At free private tables, a bot plays on for players who leave a match or are away.', verbose_name='bots play on')),
                ('admission', models.CharField(choices=[('link', 'Anyone with the link'), ('friends', 'Only my friends'), ('club', 'Members of the club'), ('anybody', 'Anybody: the table is listed')], db_default='link', default='link', help_text='For private tables only.', max_length=8, verbose_name='who may come')),
                ('allows_chat', models.BooleanField(db_default=True, default=True, verbose_name='allows chat')),
                ('allows_watchers', models.BooleanField(db_default=True, default=True, verbose_name='allows watchers')),
                ('host', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sent_away', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, null=True, size=None)),
                ('club', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.club', verbose_name='club')),
            ],
            options={
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
                'permissions': [('close_table', 'Can close tables'), ('remove_player', 'Can stand players up from tables')],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='table_due'), models.Index(condition=models.Q(('split_offer_at__isnull', False)), fields=['split_offer_at'], name='table_split_offer'), models.Index(condition=models.Q(('event_url', ''), ('status__in', ['WAITING', 'STARTING', 'BETWEEN'])), fields=['game', 'format'], name='table_between'), models.Index(condition=models.Q(models.Q(('status', 'CLOSED'), _negated=True), ('broken_at__isnull', True), ('closing_at__isnull', True), ('invite_code', ''), ('seats_taken__lt', models.F('max_seats'))), fields=['template'], name='table_joinable'), models.Index(condition=models.Q(('deadline_at__isnull', False), ('is_slow', True)), fields=['deadline_at'], name='table_slow'), models.Index(condition=models.Q(models.Q(('status', 'CLOSED'), _negated=True), models.Q(('invite_code', ''), ('admission', 'anybody'), _connector='OR'), ('closing_at__isnull', True), ('event_url', '')), fields=['game', 'format', 'currency', 'point_value', 'entry_fee', 'max_seats', 'id'], name='table_in_the_lobby')],
                'constraints': [models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='bots_play_for_chips_only'), models.CheckConstraint(condition=models.Q(('bot_seats', []), ('currency', wallet.money.Currency['CHIPS']), _connector='OR'), name='bots_sit_for_chips_only'), models.CheckConstraint(condition=models.Q(('bots_wanted', 0), ('is_rated', False), _connector='OR'), name='a_table_with_bots_is_not_rated'), models.CheckConstraint(condition=models.Q(('rake_bps__lte', 10000)), name='rake_is_at_most_the_whole_pot'), models.CheckConstraint(condition=models.Q(models.Q(('count_at', None), ('overtime_at', None), ('overtime_turn_seconds', None)), models.Q(('count_at__gte', models.F('overtime_at')), ('count_at__isnull', False), ('overtime_at__isnull', False), ('overtime_turn_seconds__gt', 0), ('overtime_turn_seconds__isnull', False)), _connector='OR'), name='overtime_has_a_turn_and_an_end'), models.CheckConstraint(condition=models.Q(('max_seats__gte', 2), ('max_seats__lte', 8)), name='a_table_has_two_to_eight_seats'), models.CheckConstraint(condition=models.Q(models.Q(('max_buy_in__gte', models.F('min_buy_in')), ('min_buy_in__gt', 0)), models.Q(('entry_fee', 0), ('point_value', 0), ('max_buy_in', 0), ('min_buy_in', 0)), _connector='OR'), name='the_largest_buy_in_is_not_below_the_least'), models.CheckConstraint(condition=models.Q(models.Q(('entry_fee', 0), ('point_value__gt', 0)), models.Q(('entry_fee__gt', 0), ('point_value', 0)), models.Q(('entry_fee', 0), ('point_value', 0), models.Q(('event_url', ''), _negated=True)), models.Q(('entry_fee', 0), ('point_value', 0), models.Q(('invite_code', ''), _negated=True), ('currency', wallet.money.Currency['CHIPS']), ('is_lesson', False)), _connector='OR'), name='only_private_tables_and_those_of_events_are_free'), models.CheckConstraint(condition=models.Q(models.Q(('entry_fee', 0), ('point_value', 0), _negated=True), models.Q(('is_rated', False), ('rake_bps', 0)), _connector='OR'), name='a_free_table_takes_no_fee_and_is_not_rated'), models.CheckConstraint(condition=models.Q(('bots_take_over', False), models.Q(('entry_fee', 0), ('point_value', 0), ('event_url', ''), models.Q(('invite_code', ''), _negated=True)), _connector='OR'), name='bots_take_over_at_free_private_tables'), models.CheckConstraint(condition=models.Q(models.Q(('event_url', ''), ('invite_code', ''), _negated=True), models.Q(('admission', 'link'), ('allows_chat', True), ('allows_watchers', True), ('host', None)), _connector='OR'), name='only_a_private_table_has_a_host_who_chooses'), models.CheckConstraint(condition=models.Q(models.Q(('admission', 'club'), _negated=True), ('club__isnull', False), _connector='OR'), name='a_table_for_members_has_a_club')],
            },
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phrase', models.CharField(blank=True, default='', max_length=20, verbose_name='phrase')),
                ('text', models.CharField(blank=True, default='', max_length=160, verbose_name='text')),
                ('from_watcher', models.BooleanField(db_default=False, default=False, verbose_name='from a watcher')),
                ('said_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='sent at')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='tables.table')),
                ('hidden_at', models.DateTimeField(blank=True, null=True, verbose_name='hidden at')),
                ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='tables.club')),
            ],
            options={
                'verbose_name': 'chat line',
                'verbose_name_plural': 'chat lines',
                'indexes': [models.Index(fields=['table', '-id'], name='chat_of_a_table'), models.Index(condition=models.Q(('from_watcher', True)), fields=['table', '-id'], name='chat_of_watchers'), models.Index(condition=models.Q(('club__isnull', False)), fields=['club', '-id'], name='chat_of_a_club')],
                'constraints': [models.CheckConstraint(condition=models.Q(('phrase', ''), ('text', ''), _connector='XOR'), name='a_line_is_a_phrase_or_words'), models.CheckConstraint(condition=models.Q(('table__isnull', True), ('club__isnull', True), _connector='XOR'), name='a_line_is_said_at_a_table_or_in_a_club'), models.CheckConstraint(condition=models.Q(('from_watcher', False), models.Q(('club__isnull', True), ('text', '')), _connector='OR'), name='watchers_say_phrases_at_tables')],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('RUNNING', 'Running'), ('FINISHED', 'Finished'), ('CANCELLED', 'Cancelled')], default='RUNNING', max_length=10, verbose_name='status')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('players', models.JSONField(help_text='For each seat number: the sitting, the user and the name.', verbose_name='players')),
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
                ('traced_at', models.DateTimeField(blank=True, null=True)),
                ('packed_at', models.DateTimeField(blank=True, null=True)),
                ('cancelled_for', models.CharField(blank=True, default='', max_length=200, verbose_name='cancelled because')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='tables.table')),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
                'permissions': [('cancel_match', 'Can cancel a running match')],
                'indexes': [django.contrib.postgres.indexes.GinIndex(fields=['participants'], name='match_participants'), models.Index(fields=['started_at'], name='match_started'), models.Index(condition=models.Q(('counted_at__isnull', True), ('status', 'FINISHED')), fields=['ended_at', 'id'], name='match_uncounted'), models.Index(condition=models.Q(('status', 'FINISHED'), ('traced_at__isnull', True)), fields=['ended_at', 'id'], name='match_untraced'), models.Index(condition=models.Q(('packed_at__isnull', True)), fields=['started_at'], name='match_unpacked')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'RUNNING')), fields=('table',), name='a_table_plays_one_match_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='QueuePlace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_mark', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('address_mark', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='waiting since')),
                ('offered_until', models.DateTimeField(blank=True, null=True, verbose_name='seat kept until')),
                ('hold_id', models.BigIntegerField(blank=True, null=True)),
                ('user', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='queue_places', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue', to='tables.table')),
            ],
            options={
                'verbose_name': 'place in a waiting list',
                'verbose_name_plural': 'places in waiting lists',
                'constraints': [models.UniqueConstraint(fields=('table', 'user'), name='a_player_waits_once_for_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device_mark', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('address_mark', models.CharField(blank=True, db_default='', default='', max_length=32)),
                ('number', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('status', models.CharField(choices=[('WAITING', 'Waiting for the next deal'), ('PLAYING', 'Playing'), ('LEAVING', 'Leaving after this deal'), ('LEFT', 'Left')], default='WAITING', max_length=10, verbose_name='status')),
                ('is_last_deal', models.BooleanField(default=False, help_text='The player leaves after the running match.', verbose_name='last deal')),
                ('joined_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='sat down at')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left at')),
                ('away_since', models.DateTimeField(blank=True, null=True)),
                ('away_told_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sittings', to='tables.table')),
                ('plays_again', models.BooleanField(db_default=False, default=False, help_text='The player has asked for the next match, so the others need not wait for an answer.', verbose_name='plays again')),
                ('reminded_turn', models.BigIntegerField(blank=True, editable=False, null=True)),
                ('awaits_look', models.BooleanField(db_default=False, default=False, editable=False)),
                ('told_turn', models.BigIntegerField(blank=True, editable=False, null=True)),
                ('bot_since', models.DateTimeField(blank=True, help_text='Until the running match ends or the player is back.', null=True, verbose_name='played by a bot since')),
                ('told_of_bot', models.BooleanField(db_default=False, default=False, editable=False)),
            ],
            options={
                'verbose_name': 'sitting',
                'verbose_name_plural': 'sittings',
                'indexes': [models.Index(condition=models.Q(('left_at__isnull', True)), fields=['user'], name='seat_held'), models.Index(condition=models.Q(('address_mark', ''), ('device_mark', ''), _negated=True), fields=['left_at'], name='seat_with_origin')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'number'), name='one_person_to_a_seat'), models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table', 'user'), name='one_seat_to_a_person_at_a_table')],
            },
        ),
        migrations.CreateModel(
            name='TableInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sent_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('invited', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('sender', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tables.table')),
            ],
            options={
                'verbose_name': 'invitation to a table',
                'verbose_name_plural': 'invitations to tables',
                'constraints': [models.UniqueConstraint(fields=('table', 'sender', 'invited'), name='a_friend_is_asked_once_to_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.BigIntegerField(null=True)),
                ('kind', models.CharField(choices=[('MOVE', "A player's move"), ('STAND_IN', "A bot's move for a player who has left"), ('EXPIRY', 'A deadline that passed'), ('POSTPONED', 'Deadlines moved back after an outage'), ('CONCLUDED', 'The time for new deals ran out'), ('SPLIT', 'A question that the table asked automatically'), ('CANCELLED', 'Cancelled by staff'), ('STARTED', 'A match began'), ('SEATING', 'Somebody sat down or left')], max_length=10)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('move', models.JSONField(null=True)),
                ('move_id', models.UUIDField(null=True)),
                ('at_ms', models.BigIntegerField()),
                ('events', models.JSONField()),
                ('patch', models.JSONField()),
                ('private', models.JSONField(help_text='Seat number to what only that seat gets.')),
                ('match', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='tables.match')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='tables.table')),
            ],
            options={
                'verbose_name': 'change',
                'verbose_name_plural': 'changes',
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
                ('match', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='deals', to='tables.match')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
            ],
            options={
                'verbose_name': 'deal',
                'verbose_name_plural': 'deals',
                'constraints': [models.UniqueConstraint(fields=('match', 'number', 'table'), name='a_deal_has_its_own_number_in_the_match')],
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
                ('note', models.CharField(blank=True, default='', max_length=500, verbose_name='staff note')),
                ('handled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('reported', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports_about', to=settings.AUTH_USER_MODEL)),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.table')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.club', verbose_name='club')),
            ],
            options={
                'verbose_name': 'report about a player',
                'verbose_name_plural': 'reports about players',
                'constraints': [models.CheckConstraint(condition=models.Q(('reporter', models.F('reported')), _negated=True), name='nobody_reports_himself'), models.CheckConstraint(condition=models.Q(('table__isnull', True), ('club__isnull', True), _connector='OR'), name='a_report_is_not_about_a_table_and_a_club')],
            },
        ),
        migrations.CreateModel(
            name='TableFault',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('happened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='happened at')),
                ('doing', models.CharField(choices=[('MOVE', "A player's move"), ('DEADLINE', 'A deadline'), ('OUTAGE', 'Giving time back after an outage'), ('SPLIT', 'A question that the table asks automatically')], max_length=10, verbose_name='operation')),
                ('error', models.CharField(max_length=300, verbose_name='error')),
                ('traceback', models.TextField(verbose_name='traceback')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resolved at')),
                ('match', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match')),
                ('resolved_by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='faults', to='tables.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('resolved_at__isnull', True)), fields=('table',), name='a_table_has_one_open_fault')],
                'verbose_name': 'table out of order',
                'verbose_name_plural': 'tables out of order',
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('WARNING', 'Warning'), ('SILENCE', 'Silence')], max_length=10, verbose_name='kind')),
                ('reason', models.CharField(choices=[('ABUSE', 'Insults or threats'), ('COLLUSION', 'Players who help each other'), ('CHEATING', 'Cheating or a program that plays'), ('NAME', 'An improper name'), ('OTHER', 'Something else')], max_length=10, verbose_name='reason')),
                ('words', models.CharField(blank=True, default='', max_length=500, verbose_name='our explanation')),
                ('decided_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='decided')),
                ('ends_at', models.DateTimeField(null=True, verbose_name='ends')),
                ('lifted_at', models.DateTimeField(null=True, verbose_name='lifted')),
                ('form', models.UUIDField(editable=False, null=True, unique=True)),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('lifted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='lifted by')),
                ('report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sanctions', to='tables.report', verbose_name='report')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sanctions', to=settings.AUTH_USER_MODEL, verbose_name='player')),
            ],
            options={
                'verbose_name': 'sanction',
                'verbose_name_plural': 'sanctions',
                'constraints': [models.CheckConstraint(condition=models.Q(('kind', 'SILENCE'), models.Q(('ends_at__isnull', True), ('lifted_at__isnull', True)), _connector='OR'), name='only_a_silence_ends'), models.CheckConstraint(condition=models.Q(models.Q(('lifted_at__isnull', True), ('lifted_by__isnull', True)), models.Q(('lifted_at__isnull', False), ('lifted_by__isnull', False)), _connector='OR'), name='a_silence_is_lifted_by_somebody')],
                'permissions': [('decide_sanction', 'Can warn and silence players')],
            },
        ),
        migrations.AddField(
            model_name='table',
            name='match',
            field=models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.match'),
        ),
        migrations.RunSQL(ROOM_FOR_UPDATES),
        migrations.RunSQL(COUNT_SEATS),
        migrations.RunSQL(KEYED_BY_TABLE),
        migrations.RunSQL(MATCHES_OF_THE_TABLE),
        migrations.RunSQL(CHANGES_BY_DAY),
    ]
