from uuid import UUID

from django.db import migrations
from django.db.models import F

BATCH = 5_000


def date_from_login(apps, schema_editor):
    """Let each session of the previous release count as authenticated at its login."""
    families = apps.get_model('authsvc_sessions', 'Family').objects.using(schema_editor.connection.alias)
    undated = families.filter(authenticated_at__lt=F('started_at'))
    last = UUID(int=0)
    while batch := list(undated.filter(pk__gt=last).order_by('pk').values_list('pk', flat=True)[:BATCH]):
        undated.filter(pk__gt=last, pk__lte=batch[-1]).update(authenticated_at=F('started_at'))
        last = batch[-1]


class Migration(migrations.Migration):
    # Each batch commits on its own. So a refresh waits for the rows of one batch at most.
    atomic = False

    dependencies = [
        ('authsvc_sessions', '0002_authenticated_at'),
    ]

    operations = [migrations.RunPython(date_from_login, migrations.RunPython.noop)]
