import core.db.ids
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0019_users_of_a_hash_kind'),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=core.db.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('email', models.CharField(max_length=254)),
                ('email_key', models.CharField(max_length=254)),
                ('digest', models.BinaryField(max_length=32)),
                ('invited_by', models.CharField(blank=True, max_length=100)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('email_key',), name='authsvc_invitation_email_key'), models.UniqueConstraint(fields=('digest',), name='authsvc_invitation_digest')],
            },
        ),
    ]
