import datetime

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_sessions', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='family',
            name='authenticated_at',
            field=models.DateTimeField(db_default=datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)),
        ),
    ]
