import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# History is only ever added to, whoever tries: the application's role has no right to (wallet/roles.py),
# and these refuse it to the owner too.
APPEND_ONLY = """
CREATE FUNCTION accounts_refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to: % refused', TG_OP USING ERRCODE = '42501';
END $$;
CREATE TRIGGER accounts_audit_entry_is_append_only
  BEFORE UPDATE OR DELETE ON accounts_audit_entry
  FOR EACH ROW EXECUTE FUNCTION accounts_refuse_change();
CREATE TRIGGER accounts_audit_entry_is_never_emptied
  BEFORE TRUNCATE ON accounts_audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION accounts_refuse_change();
"""
UNDO = """
DROP TRIGGER accounts_audit_entry_is_append_only ON accounts_audit_entry;
DROP TRIGGER accounts_audit_entry_is_never_emptied ON accounts_audit_entry;
DROP FUNCTION accounts_refuse_change();
"""
# Their permissions come after every migration (accounts/staff_roles.py).
ROLES = ("support", "finance", "games", "superuser")


def make_roles(apps, _schema_editor):
    for name in ROLES:
        apps.get_model("auth", "Group").objects.get_or_create(name=name)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_letter'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
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
            ],
            options={
                'verbose_name': 'audit entry',
                'verbose_name_plural': 'audit log',
                'db_table': 'accounts_audit_entry',
            },
        ),
        migrations.CreateModel(
            name='PlayerNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(verbose_name='note')),
                ('written_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='written at')),
            ],
            options={
                'verbose_name': 'note about a player',
                'verbose_name_plural': 'notes about players',
                'db_table': 'accounts_player_note',
            },
        ),
        migrations.AlterModelOptions(
            name='user',
            options={'permissions': [('freeze_user', 'Can freeze and unfreeze players'), ('end_sessions', 'Can see and end the sessions of players')], 'verbose_name': 'player', 'verbose_name_plural': 'players'},
        ),
        migrations.AddField(
            model_name='user',
            name='closed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='closed'),
        ),
        migrations.AddField(
            model_name='user',
            name='frozen_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='frozen'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('is_active', False), models.Q(('closed_at__isnull', True), ('frozen_at__isnull', True)), _connector='OR'), name='accounts_user_frozen_or_closed_is_not_active'),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='staff',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='staff'),
        ),
        migrations.AddField(
            model_name='playernote',
            name='staff',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='staff'),
        ),
        migrations.AddField(
            model_name='playernote',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to=settings.AUTH_USER_MODEL, verbose_name='player'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['object_type', 'object_id'], name='audit_entries_of_an_object'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['at'], name='audit_entries_by_time'),
        ),
        migrations.RunSQL(APPEND_ONLY, UNDO),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
