"""Tables of the sessions app."""

from datetime import UTC, datetime, timedelta
from typing import ClassVar

from django.db import models

from accounts.models import Account
from accounts.state.epochs import CredentialsEpoch
from core.db.ids import new_id

ISSUER_MAX = 500
SUBJECT_MAX = 255
"""In characters (OpenID Connect Core, section 2)."""
PERSON_NAME_MAX = 100
DISTANT_PAST = datetime(1970, 1, 1, tzinfo=UTC)
"""The `authenticated_at` of a session that has to reauthenticate before an act that needs a recent login."""
AMR_MAX = 100
"""The maximum length of the methods of a login. The name of a factor is the only part of unknown length."""
REPEAT_PERIOD = timedelta(minutes=5)
"""How long a client can repeat a refresh with its Idempotency-Key."""


def live_condition(*, now: str = "%s") -> str:
    """Return the condition of `FamilyQuerySet.live` for raw SQL in which the family's table has the alias `f`.

    `now` is the placeholder of the present time. The condition contains it twice.
    """
    return f"f.revoked_at IS NULL AND f.idle_expires_at > {now} AND f.absolute_expires_at > {now}"


class FamilyQuerySet(models.QuerySet["Family"]):
    """Queries of families."""

    def live(self, now: datetime) -> "FamilyQuerySet":
        """Return the live families among these. `live_condition` is the same condition for raw SQL."""
        return self.filter(revoked_at=None, idle_expires_at__gt=now, absolute_expires_at__gt=now)


class Family(models.Model):
    """One login. This row alone determines whether the session is live.

    A family is live while `revoked_at` is null and neither limit has passed. `current_token_id` names the one token
    that can refresh the family. A rotation is one UPDATE of this row. Its condition is that the token is still current
    and the family is not revoked. A revocation is one UPDATE of `revoked_at`. So a rotation that comes after another
    rotation or a revocation finds its condition false.

    `authenticated_at` is the time of the login, or of the latest reauthentication of this session. A refresh does not
    change it. It is DISTANT_PAST when the time of the login is unknown. `amr` contains the methods of the login as words
    of the claim `amr`, separated by blanks. It is "" when the methods are unknown.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    current_token_id = models.UUIDField()
    started_at = models.DateTimeField()
    idle_expires_at = models.DateTimeField()
    absolute_expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    # Processes of the previous release insert families without this column.
    authenticated_at = models.DateTimeField(db_default=DISTANT_PAST)
    amr = models.CharField(max_length=AMR_MAX, blank=True, db_default="")

    objects = FamilyQuerySet.as_manager()

    class Meta:
        """`authsvc_family_live` finds an account's live families among any number of ended ones.

        `authsvc_family_absolute` serves pruning.
        """

        verbose_name = "session"
        indexes: ClassVar = [
            models.Index(fields=["absolute_expires_at"], name="authsvc_family_absolute"),
            models.Index(fields=["account"], condition=models.Q(revoked_at=None), name="authsvc_family_live"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class LastLogin(models.Model):
    """The time of the latest login of an account. An account that never signed in has no row.

    Families are pruned, and this row stays. The table is separate from Account, because each login changes it. The column
    has no foreign key in the database: a process of the previous release deletes accounts and does not know this table.
    """

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="+", db_constraint=False
    )
    at = models.DateTimeField()

    class Meta:
        """`authsvc_last_login_at` serves the list of users in the order of their logins."""

        indexes: ClassVar = [models.Index(fields=["-at", "-account"], name="authsvc_last_login_at")]

    def __str__(self) -> str:
        return str(self.pk)


class Token(models.Model):
    """A refresh token of a family, with the address and user agent of the request that created it.

    While the token is current, its id is the session's id. The row contains only the SHA-256 digest of the token. Rows of
    rotated tokens are the family's history.

    A repeated refresh supersedes the successor of the exchanged token. The superseded token's row stays, so that its id
    still identifies the session. Its digest becomes random, so that no request finds the token.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    family = models.ForeignKey(Family, on_delete=models.CASCADE, related_name="tokens", db_index=False)
    digest = models.BinaryField(max_length=32)
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=512, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        """The digest finds a token.

        Pruning finds a family's next token with one lookup in `authsvc_token_family`, even among thousands of tokens.
        """

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_token_digest")]
        indexes: ClassVar = [models.Index(fields=["family", "created_at"], name="authsvc_token_family")]

    def __str__(self) -> str:
        return str(self.pk)


class KeyedRotation(models.Model):
    """A rotation that the client can repeat, because its request had an Idempotency-Key.

    `token_id` is the successor: the newest token that this key returned. `digest` is the SHA-256 digest of the
    exchanged token's digest and the key. The client can repeat the rotation until `expires_at`, while the successor is
    the current token of its family. When a request with the successor is refused, the row is deleted.

    The table has no foreign key: a process of the previous release deletes tokens and does not know this table.
    """

    token_id = models.UUIDField(primary_key=True)
    digest = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.pk)


class UsedProof(models.Model):
    """A proof of possession of a key that a request contained (RFC 9449). It works once: `authsvc_proof_digest`.

    `digest` is the SHA-256 digest of the key's thumbprint and the proof's `jti`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField()

    class Meta:
        """The digest is unique."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_proof_digest")]

    def __str__(self) -> str:
        return str(self.pk)


class PendingLogin(models.Model):
    """A login whose first factor was right and that waits for the second factor.

    It is valid while it is not consumed, not expired, and the account's epoch equals `epoch`. A successful completion
    consumes it. The last permitted wrong guess consumes it too; `failures` counts the wrong guesses.

    `identity` is null unless an identity at a provider was the first factor. It contains the fields of a `ProvenIdentity`.
    The completion links the identity. The family that the completion opens has the same `id`. `ip` and `user_agent`
    describe the client that proved the first factor.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    epoch = models.PositiveIntegerField()
    method = models.CharField(max_length=20)
    ip = models.CharField(max_length=45, blank=True, db_default="")
    user_agent = models.CharField(max_length=512, blank=True, db_default="")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)
    consumed_at = models.DateTimeField(null=True)
    identity = models.JSONField(null=True)

    class Meta:
        """The digest finds a pending login. The worker deletes expired rows, in the order of their expiry."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_pending_digest")]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="authsvc_pending_expires")]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def credentials_epoch(self) -> CredentialsEpoch:
        """The account's epoch at the proof of the first factor."""
        return CredentialsEpoch(account_id=self.account_id, number=self.epoch)


class Identity(models.Model):
    """An account's identity at an OAuth provider. It signs its owner in.

    `issuer` and `subject` identify the person for ever. Addresses and user names can change their owner, so they are not
    stored. `provider` is the name of the provider in the settings. `name` is what the provider calls the person.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    provider = models.CharField(max_length=32)
    issuer = models.CharField(max_length=ISSUER_MAX)
    subject = models.CharField(max_length=SUBJECT_MAX)
    name = models.CharField(max_length=PERSON_NAME_MAX, blank=True)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField()

    class Meta:
        """`authsvc_identity_subject` ensures that an identity belongs to one account only.

        On PostgreSQL `authsvc_identity_provider` finds the accounts of a provider.
        """

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="authsvc_identity_subject"),
        ]
        indexes: ClassVar = [models.Index(fields=["provider", "account"], name="authsvc_identity_provider")]

    def __str__(self) -> str:
        return str(self.pk)


class OauthFlow(models.Model):
    """A login or a link that waits for the answer of a provider, single use. The first completion sets `consumed_at`.

    `digest` is the digest of the state token, which only the client holds. `state_digest` is the digest of the
    parameter `state`. The nonce and the PKCE verifier derive from `secret` and the state token. So neither the row nor
    the client alone has them. `account` is null for a login, and the account that gets the identity for a link.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", null=True)
    provider = models.CharField(max_length=32)
    digest = models.BinaryField(max_length=32)
    state_digest = models.BinaryField(max_length=32)
    secret = models.BinaryField(max_length=32)
    redirect_uri = models.TextField()
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """The digests find a flow. Expired rows are pruned."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["digest"], name="authsvc_oauth_flow_digest"),
            models.UniqueConstraint(fields=["state_digest"], name="authsvc_oauth_flow_state"),
        ]
        indexes: ClassVar = [models.Index(fields=["expires_at"], name="authsvc_oauth_flow_expires")]

    def __str__(self) -> str:
        return str(self.pk)


class FormerAddress(models.Model):
    """A keyed digest of the address of a deleted account. Logins do not ask an old system about the address.

    A digest is stored once: `authsvc_former_address_digest`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.CharField(max_length=32)
    deleted_at = models.DateTimeField()

    class Meta:
        """The digest is unique."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_former_address_digest")]

    def __str__(self) -> str:
        return self.digest
