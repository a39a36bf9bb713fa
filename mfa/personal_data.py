"""The tables of the mfa app with data about an account owner."""

from accounts.state.personal_tables import INTERNAL, SECRET, PersonalTable, of_account

from .models import AccountRecovery, Ceremony, Passkey, RecoveryBatch, RecoveryCode, Totp

TABLES = (
    PersonalTable(
        name="authenticator_apps",
        model=Totp,
        rows=of_account(Totp),
        columns=("created_at", "confirmed_at", "last_step", "wrong_at"),
        left_out={"secret": SECRET},
    ),
    PersonalTable(
        name="passkeys",
        model=Passkey,
        rows=of_account(Passkey),
        columns=(
            *("id", "credential_id", "public_key", "sign_count", "transports", "aaguid", "is_backup_eligible"),
            *("is_backed_up", "user_verified", "signs_in_alone", "imported_handle", "nickname", "created_at"),
            "last_used_at",
        ),
        left_out={"learns_backup": INTERNAL},
    ),
    PersonalTable(
        name="passkey_ceremonies",
        model=Ceremony,
        rows=of_account(Ceremony),
        columns=("id", "purpose", "pending_login", "expires_at", "consumed_at"),
        left_out={"digest": SECRET, "challenge": SECRET},
    ),
    PersonalTable(
        name="recovery_code_batches",
        model=RecoveryBatch,
        rows=of_account(RecoveryBatch),
        columns=("created_at",),
        left_out={"pepper": SECRET},
    ),
    PersonalTable(
        name="recovery_codes",
        model=RecoveryCode,
        rows=of_account(RecoveryCode, "batch__account_id"),
        columns=("id", "used_at"),
        left_out={"digest": SECRET, "batch_id": "It is the account's id."},
    ),
    PersonalTable(
        name="account_recoveries",
        model=AccountRecovery,
        rows=of_account(AccountRecovery),
        columns=("id", "requested_at", "ready_at", "due_at"),
        left_out={"epoch": INTERNAL},
    ),
)
