from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('authsvc_accounts', '0008_security_mail_counts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='mailtoken',
            name='purpose',
            field=models.CharField(choices=[('magic_link', 'Magic Link'), ('email_change', 'Email Change'), ('email_verify', 'Email Verify'), ('password_reset', 'Password Reset'), ('recovery_cancel', 'Recovery Cancel'), ('recovery_complete', 'Recovery Complete')], max_length=20),
        ),
    ]
