from django.db import migrations

from core.db.cascades import cascade_in_database


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_mfa', '0006_conditional_registration'),
    ]

    operations = [cascade_in_database(app_label='authsvc_mfa', model_name='AccountRecovery')]
