import core.database.translated_texts
import core.models.emails
import core.models.webhooks
import django.contrib.postgres.fields
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from core.database.creating_migration import CreatingMigration

# The audit log is append-only. The application's role may only insert (wallet/ledger/roles.py);
# these triggers refuse changes to the owner too.
APPEND_ONLY = """
CREATE FUNCTION core_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to: % refused', TG_OP USING ERRCODE = '42501';
END $$;
CREATE TRIGGER core_audit_entry_is_append_only
  BEFORE UPDATE OR DELETE ON core_audit_entry
  FOR EACH ROW EXECUTE FUNCTION core_refuse_change();
CREATE TRIGGER core_audit_entry_is_never_emptied
  BEFORE TRUNCATE ON core_audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION core_refuse_change();
"""
# Players have accepted a published page. Not even the owner may change it.
PUBLISHED_STAYS = """
CREATE FUNCTION core_refuse_page_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.published_at IS NOT NULL THEN
    RAISE EXCEPTION 'a published page stays as it is: % refused', TG_OP USING ERRCODE = '42501';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER core_page_version_stays
  BEFORE UPDATE OR DELETE ON core_page_version
  FOR EACH ROW EXECUTE FUNCTION core_refuse_page_change();
"""


class Migration(CreatingMigration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='FeatureSwitch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('feature', models.CharField(max_length=40, unique=True, verbose_name='part of the site')),
                ('is_on', models.BooleanField(default=True, verbose_name='on')),
            ],
            options={
                'verbose_name': 'switch',
                'verbose_name_plural': 'switches',
                'db_table': 'core_feature_switch',
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('url', models.URLField(max_length=500, verbose_name='address')),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('match.ended', 'a match has ended'), ('tournament.ended', 'a tournament has ended')], max_length=30), size=None, verbose_name='events')),
                ('secret', models.CharField(default=core.models.webhooks.new_secret, help_text='Each delivery is signed with it: docs/settings.md, “Webhooks”.', max_length=100, verbose_name='secret')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('made_at', models.DateTimeField(auto_now_add=True, verbose_name='made')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=100, verbose_name='what')),
                ('value', models.CharField(max_length=100, verbose_name='value')),
                ('began_at', models.DateTimeField(verbose_name='began')),
                ('checked_at', models.DateTimeField(verbose_name='checked')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='over')),
                ('mailed', models.CharField(blank=True, choices=[('', 'nothing'), ('BEGAN', 'that it began'), ('ENDED', 'that it is over')], default='', max_length=5, verbose_name='mailed')),
                ('posted', models.CharField(blank=True, choices=[('', 'nothing'), ('BEGAN', 'that it began'), ('ENDED', 'that it is over')], default='', max_length=5, verbose_name='posted')),
            ],
            options={
                'verbose_name': 'alert',
                'verbose_name_plural': 'alerts',
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('code',), name='core_alert_of_a_kind_is_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='MailText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40, verbose_name='mail')),
                ('language', models.CharField(choices=core.models.emails.language_choices, max_length=10, verbose_name='language')),
                ('subject', models.CharField(max_length=200, verbose_name='subject')),
                ('text', models.TextField(max_length=5000, verbose_name='text')),
            ],
            options={
                'db_table': 'core_mail_text',
                'constraints': [models.UniqueConstraint(fields=('kind', 'language'), name='core_mail_text_once_in_a_language', violation_error_message='This e-mail already has a text in this language.')],
                'permissions': [('write_secret_links', 'Can write mails with secret links')],
                'verbose_name': 'e-mail text',
                'verbose_name_plural': 'e-mail texts',
            },
        ),
        migrations.CreateModel(
            name='OutgoingEmail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.TextField()),
                ('text', models.TextField()),
                ('written_at', models.DateTimeField()),
                ('send_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'e-mail to send',
                'verbose_name_plural': 'e-mails to send',
            },
        ),
        migrations.CreateModel(
            name='Region',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(help_text='The ISO 3166-2 code, such as IN-TG.', max_length=6, unique=True, validators=[django.core.validators.RegexValidator('^[A-Z]{2}(-[A-Z0-9]{1,3})?\\Z', 'Enter a code such as IN-TG.')], verbose_name='code')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('cash_is_refused', models.BooleanField(default=False, help_text='Players who live there can neither deposit cash nor play for it. They can still withdraw winnings.', verbose_name='no cash')),
                ('least_age', models.PositiveSmallIntegerField(default=18, help_text="The age for cash play, in years. If it is higher than the site's, players need an approved identity before they can play for cash.", validators=[django.core.validators.MinValueValidator(18), django.core.validators.MaxValueValidator(99)], verbose_name='minimum age')),
            ],
            options={
                'verbose_name': 'region',
                'verbose_name_plural': 'regions',
                'ordering': ('name',),
                'constraints': [models.CheckConstraint(condition=models.Q(('least_age__gte', 18), ('least_age__lte', 99)), name='core_region_is_for_adults')],
            },
        ),
        migrations.CreateModel(
            name='SiteIdentity',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(help_text="The site's name, as every page and e-mail shows it.", max_length=40, verbose_name='name')),
                ('short_name', models.CharField(help_text='Shown below the icon on a phone: 12 characters at most.', max_length=12, verbose_name='short name')),
                ('company', models.CharField(blank=True, help_text='The operator, named at the end of each page.', max_length=100, verbose_name='company')),
                ('postal_address', models.TextField(blank=True, max_length=500, verbose_name='postal address')),
                ('support_email', models.EmailField(blank=True, help_text='The address for people who cannot sign in.', max_length=254, verbose_name='e-mail for support')),
                ('brand_light', models.CharField(blank=True, help_text='The colour of links and buttons, such as #0b6b4d. Set both colours, or neither.', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}\\Z', 'Enter a colour such as #0b6b4d: a # and six digits of 0-9, a-f.')], verbose_name='colour on light pages')),
                ('brand_dark', models.CharField(blank=True, max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}\\Z', 'Enter a colour such as #0b6b4d: a # and six digits of 0-9, a-f.')], verbose_name='colour on dark pages')),
                ('logo', models.BinaryField(blank=True, null=True)),
                ('logo_mark', models.CharField(blank=True, editable=False, max_length=16, verbose_name='logo')),
                ('least_age', models.PositiveSmallIntegerField(default=18, help_text='The age for registering, in years. Regions may ask for more.', validators=[django.core.validators.MinValueValidator(18), django.core.validators.MaxValueValidator(99)], verbose_name='minimum age')),
            ],
            options={
                'verbose_name': 'site',
                'verbose_name_plural': 'site',
                'db_table': 'core_site_identity',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='core_site_identity_is_one_row'), models.CheckConstraint(condition=models.Q(models.Q(('brand_dark', ''), ('brand_light', '')), models.Q(models.Q(('brand_light', ''), _negated=True), models.Q(('brand_dark', ''), _negated=True)), _connector='OR'), name='core_site_identity_has_both_colours', violation_error_message='Set both colours, or neither.'), models.CheckConstraint(condition=models.Q(models.Q(('logo', None), ('logo_mark', '')), models.Q(('logo__isnull', False), models.Q(('logo_mark', ''), _negated=True)), _connector='OR'), name='core_site_identity_marks_its_logo'), models.CheckConstraint(condition=models.Q(('least_age__gte', 18), ('least_age__lte', 99)), name='core_site_identity_is_for_adults')],
            },
        ),
        migrations.CreateModel(
            name='SiteNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300, verbose_name='text')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('is_urgent', models.BooleanField(default=False, help_text='The announcement stands out from the others.', verbose_name='urgent')),
                ('shown_from', models.DateTimeField(verbose_name='shown from')),
                ('shown_until', models.DateTimeField(blank=True, help_text='If empty, it is shown until you set a time.', null=True, verbose_name='shown until')),
                ('play_stops_at', models.DateTimeField(blank=True, help_text='Maintenance: from this time until the announcement ends, no new match begins. Show the announcement well before, so that players know. If empty, play goes on.', null=True, verbose_name='play stops at')),
            ],
            options={
                'verbose_name': 'announcement',
                'verbose_name_plural': 'announcements',
                'constraints': [models.CheckConstraint(condition=models.Q(('shown_until', None), ('shown_until__gt', models.F('shown_from')), _connector='OR'), name='core_site_notice_ends_after_it_begins', violation_error_message='The end must be later than the beginning.'), models.CheckConstraint(condition=models.Q(('play_stops_at', None), models.Q(('play_stops_at__gte', models.F('shown_from')), ('shown_until', None)), models.Q(('play_stops_at__gte', models.F('shown_from')), ('shown_until__gt', models.F('play_stops_at'))), _connector='OR'), name='core_site_notice_stops_play_while_it_is_shown', violation_error_message='Play can stop only while the announcement is shown, not before.')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='time')),
                ('staff_name', models.TextField()),
                ('address', models.GenericIPAddressField(null=True, verbose_name='address')),
                ('action', models.TextField(verbose_name='action')),
                ('object_type', models.TextField(verbose_name='kind of object')),
                ('object_id', models.TextField(verbose_name='number of the object')),
                ('object_name', models.TextField(verbose_name='object')),
                ('before', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='before')),
                ('after', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='after')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('staff', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='staff')),
            ],
            options={
                'verbose_name': 'audit entry',
                'verbose_name_plural': 'audit log',
                'db_table': 'core_audit_entry',
                'indexes': [models.Index(fields=['object_type', 'object_id'], name='audit_entries_of_an_object'), models.Index(fields=['at'], name='audit_entries_by_time')],
            },
        ),
        migrations.CreateModel(
            name='PageVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('terms', 'Terms'), ('privacy', 'Privacy'), ('imprint', 'Imprint'), ('responsible-play', 'Responsible play')], max_length=20, verbose_name='page')),
                ('number', models.PositiveIntegerField(editable=False, null=True, verbose_name='version')),
                ('text', models.TextField(help_text='Markdown: # headings, lists, [links](/rules/).', max_length=100000, verbose_name='text')),
                ('words', core.database.translated_texts.WordsField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict, help_text='Where a field is empty, players see the text above.', verbose_name='in other languages')),
                ('asks_again', models.BooleanField(default=True, help_text='For terms only: players are asked at their next visit. Leave it off if you only corrected a typing error.', verbose_name='players must accept it again')),
                ('published_at', models.DateTimeField(editable=False, null=True, verbose_name='published')),
                ('published_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
            ],
            options={
                'db_table': 'core_page_version',
                'constraints': [models.UniqueConstraint(fields=('kind', 'number'), name='core_page_version_number'), models.UniqueConstraint(condition=models.Q(('published_at', None)), fields=('kind',), name='core_page_version_one_draft'), models.CheckConstraint(condition=models.Q(models.Q(('number', None), ('published_at', None), ('published_by', None)), models.Q(('number__gte', 1), ('published_at__isnull', False), ('published_by__isnull', False)), _connector='OR'), name='core_page_version_is_draft_or_published')],
                'permissions': [('publish_pageversion', 'Can publish terms and other pages that bind')],
                'verbose_name': 'version of terms or a policy',
                'verbose_name_plural': 'terms and policies',
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.UUIDField(default=uuid.uuid4, unique=True, verbose_name='number')),
                ('event', models.CharField(choices=[('match.ended', 'a match has ended'), ('tournament.ended', 'a tournament has ended')], max_length=30, verbose_name='event')),
                ('body', models.TextField(verbose_name='body')),
                ('made_at', models.DateTimeField(verbose_name='made')),
                ('due_at', models.DateTimeField(blank=True, null=True, verbose_name='next attempt at')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('delivered_at', models.DateTimeField(blank=True, null=True, verbose_name='delivered')),
                ('answer', models.CharField(blank=True, default='', max_length=300, verbose_name='last answer')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='core.webhook')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='delivery_due'), models.Index(fields=['made_at'], name='delivery_made')],
                'verbose_name': 'webhook delivery',
                'verbose_name_plural': 'webhook deliveries',
            },
        ),
        migrations.CreateModel(
            name='SiteNumbers',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('values', models.JSONField(blank=True, default=dict, verbose_name='values')),
            ],
            options={
                'verbose_name': 'limits and amounts',
                'verbose_name_plural': 'limits and amounts',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='core_site_numbers_are_one_row')],
            },
        ),
        migrations.CreateModel(
            name='Backup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, unique=True, verbose_name='name')),
                ('size_bytes', models.BigIntegerField(verbose_name='bytes')),
                ('made_at', models.DateTimeField(db_index=True, verbose_name='made')),
                ('checked_at', models.DateTimeField(blank=True, null=True, verbose_name='restored and checked')),
            ],
            options={
                'verbose_name': 'backup',
                'verbose_name_plural': 'backups',
            },
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job', models.CharField(max_length=40, unique=True)),
                ('until', models.DateTimeField()),
            ],
        ),
        migrations.RunSQL(APPEND_ONLY),
        migrations.RunSQL(PUBLISHED_STAYS),
    ]
