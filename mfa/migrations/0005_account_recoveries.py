import core.db.ids
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0001_initial'),
        ('authsvc_mfa', '0004_passkeys_sign_in_alone'),
    ]

    operations = [
        migrations.CreateModel(
            name='AccountRecovery',
            fields=[
                ('id', models.UUIDField(default=core.db.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('epoch', models.PositiveIntegerField()),
                ('requested_at', models.DateTimeField()),
                ('ready_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='authsvc_accounts.account')),
            ],
            options={
                'indexes': [models.Index(fields=['due_at'], name='authsvc_recovery_due')],
            },
        ),
    ]
