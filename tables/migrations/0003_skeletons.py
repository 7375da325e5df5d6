from django.db import migrations

from accounts.models import skeleton_of


def compute_skeletons_anew(apps, schema_editor):
    """Compute the skeletons of names with look-alikes from right to left, with joiners or with marks."""
    User = apps.get_model('accounts', 'User')
    Club = apps.get_model('tables', 'Club')
    users = User.objects.filter(player_name__regex='[^ -~]').only('player_name', 'name_skeleton')
    for user in users.iterator():
        skeleton = skeleton_of(user.player_name)
        if skeleton != user.name_skeleton:
            User.objects.filter(pk=user.pk).update(name_skeleton=skeleton)
    for club in Club.objects.filter(name__regex='[^ -~]').order_by('pk'):
        skeleton = skeleton_of(club.name)
        alike = Club.objects.filter(name_skeleton=skeleton, closed_at=None)
        # Two open clubs that look alike keep their names; the later one keeps its skeleton.
        if skeleton != club.name_skeleton and not alike.exists():
            Club.objects.filter(pk=club.pk).update(name_skeleton=skeleton)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_people'),
        ('tables', '0002_table_awaits_press'),
    ]

    operations = [
        migrations.RunPython(compute_skeletons_anew, migrations.RunPython.noop, elidable=True),
    ]
