from django.db import migrations

from core.db.cascades import cascade_in_database


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0010_events_by_ip'),
    ]

    operations = [cascade_in_database(app_label='authsvc_accounts', model_name='SecurityMailCount')]
