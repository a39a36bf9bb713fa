"""Tables of the OpenID provider."""

from collections.abc import Collection
from datetime import datetime
from typing import ClassVar

from django.db import models

from accounts.models import Account
from core.db.ids import new_id
from sessions_app.models import AMR_MAX, Family

from .scopes import OFFLINE_ACCESS

NAME_MAX = 100
SCOPE_MAX = 500
"""The maximum length of granted scopes, separated by blanks."""


class Authentication(models.TextChoices):
    """The ways in which a client authenticates. A secret comes by HTTP Basic or in the body."""

    NONE = "none"
    SECRET = "secret"  # noqa: S105 - a way's name
    PRIVATE_KEY = "private_key_jwt"


class ClientQuerySet(models.QuerySet["Client"]):
    """Queries of clients."""

    def active(self) -> "ClientQuerySet":
        """Return the clients that are not deactivated."""
        return self.filter(deactivated_at=None)


class Client(models.Model):
    """An application that signs people in here. The text of `id` is its `client_id`.

    `secret_digest` is the SHA-256 digest of the secret. After a rotation, the former secret works until
    `former_expires_at`. `jwks` contains the public keys of a client with PRIVATE_KEY. `redirect_uris`, `scopes`,
    `resources` and `serves` are lists of texts. `serves` has the resources that the client is: it may introspect their
    access tokens. `needs_pkce` is true for every client without authentication:
    `authsvc_client_pkce`. A client with `needs_par` pushes each authorization request first. One with `needs_dpop`
    proves a key for each token. One with `may_use_devices` can sign in on devices without a browser. The people of the
    deployment trust a client with `is_first_party`, so it asks for no consent.

    ID tokens and logout tokens have the algorithm `id_token_algorithm`; "" means that of access tokens.
    `post_logout_uris` is a list of the addresses to which a logout can return, or None. A logout token goes to
    `backchannel_logout_uri`, unless it is "".
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=NAME_MAX)
    authentication = models.CharField(max_length=20, choices=Authentication.choices)
    secret_digest = models.BinaryField(max_length=32, null=True)
    former_digest = models.BinaryField(max_length=32, null=True)
    former_expires_at = models.DateTimeField(null=True)
    jwks = models.JSONField(null=True)
    redirect_uris = models.JSONField()
    scopes = models.JSONField()
    resources = models.JSONField(default=list, db_default=[])
    serves = models.JSONField(default=list, db_default=[])
    needs_pkce = models.BooleanField(default=True)
    needs_par = models.BooleanField(default=False, db_default=False)
    needs_dpop = models.BooleanField(default=False, db_default=False)
    may_use_devices = models.BooleanField(default=False, db_default=False)
    is_first_party = models.BooleanField(default=False)
    id_token_algorithm = models.CharField(max_length=10, blank=True, db_default="")
    post_logout_uris = models.JSONField(null=True)
    backchannel_logout_uri = models.CharField(max_length=500, blank=True, db_default="")
    created_at = models.DateTimeField()
    deactivated_at = models.DateTimeField(null=True)

    objects = ClientQuerySet.as_manager()

    class Meta:
        """A client without authentication always needs PKCE."""

        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~models.Q(authentication=Authentication.NONE) | models.Q(needs_pkce=True),
                name="authsvc_client_pkce",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_public(self) -> bool:
        """Return whether the client has no secret and no key. Anyone can then state its `client_id`."""
        return self.authentication == Authentication.NONE


class PushedRequest(models.Model):
    """An authorization request that its client sent ahead (RFC 9126). It leads to one code: the first sets `consumed_at`.

    `digest` is the SHA-256 digest of the `request_uri`. `query` contains the parameters, and their client is `client`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    query = models.TextField()
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """The digest finds a request."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_pushed_digest")]

    def __str__(self) -> str:
        return str(self.pk)


class DeviceRequest(models.Model):
    """The request of a device that a person permits in a browser (RFC 8628). The first answer sets `answered_at`.

    `digest` is the SHA-256 digest of the device code. A permitted request becomes a `Code` with the same digest.
    `user_digest` is a keyed digest of the code that the person types. `scope` and `resource` contain words, separated by
    blanks. `ip` and `user_agent` are those of the device. The device may ask every `interval` seconds.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    user_digest = models.BinaryField(max_length=32)
    scope = models.CharField(max_length=SCOPE_MAX)
    resource = models.TextField(blank=True)
    ip = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=512, blank=True)
    interval = models.PositiveIntegerField()
    polled_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()

    class Meta:
        """Each of the two digests finds a request."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["digest"], name="authsvc_device_digest"),
            models.UniqueConstraint(fields=["user_digest"], name="authsvc_device_user_code"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Consent(models.Model):
    """The permission that an account gave a client.

    `scopes`, `claims` and `resources` are words, separated by blanks. An account has at most one row for a client:
    `authsvc_consent_client`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="+")
    scopes = models.CharField(max_length=SCOPE_MAX)
    claims = models.CharField(max_length=SCOPE_MAX, blank=True)
    resources = models.TextField(blank=True, default="", db_default="")
    created_at = models.DateTimeField()

    class Meta:
        """The index of the constraint finds the consents of an account."""

        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "client"], name="authsvc_consent_client"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


def scopes_within(granted: str, registered: Collection[str]) -> tuple[str, ...]:
    """Return those of the granted scopes that the client may still have. A command can take a scope away."""
    return tuple(scope for scope in granted.split() if scope in registered)


class Authorization(models.Model):
    """The part of a code that its grant keeps: what the client may know, and about which login.

    `scope` and `resource` contain words, separated by blanks. `resource` has the URIs for which the client can get
    tokens. `user_claims` and `token_claims` are the claims that the client asked for by name, in the answer of userinfo
    and in ID tokens. `authenticated_at` and `amr` describe the login of the browser's session. `browser_id` is the
    family of that session. `key_thumbprint` names the key (RFC 9449) that a request for tokens must prove, or is "".
    """

    client = models.ForeignKey(Client, on_delete=models.CASCADE, related_name="+")
    scope = models.CharField(max_length=SCOPE_MAX)
    resource = models.TextField(blank=True, default="", db_default="")
    user_claims = models.CharField(max_length=SCOPE_MAX, blank=True)
    token_claims = models.CharField(max_length=SCOPE_MAX, blank=True)
    authenticated_at = models.DateTimeField()
    amr = models.CharField(max_length=AMR_MAX, blank=True)
    browser_id = models.UUIDField()
    key_thumbprint = models.CharField(max_length=43, blank=True, default="", db_default="")

    class Meta:
        abstract = True

    @property
    def scopes(self) -> tuple[str, ...]:
        """The granted scopes that the client may still have. The client is loaded."""
        return scopes_within(self.scope, self.client.scopes)

    @property
    def resources(self) -> tuple[str, ...]:
        """The granted resources."""
        return tuple(self.resource.split())


class Code(Authorization):
    """A code of the authorization endpoint, single use: the first redemption sets `consumed_at`.

    A permitted `DeviceRequest` is a code too. Its `redirect_uri` is "".

    The family that the redemption opens has the same `id`. So a second redemption finds and ends that family.
    `session_id` is the token row of the browser's session, which must still be live at the redemption, with the same
    credentials `epoch` of the account.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    redirect_uri = models.TextField()
    challenge = models.CharField(max_length=43, blank=True)
    nonce = models.TextField(blank=True)
    session_id = models.UUIDField()
    epoch = models.PositiveIntegerField()
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        """The digest finds a code."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_code_digest")]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_offline(self) -> bool:
        """Return whether the grant survives the session of the browser. A device is another one than the browser."""
        return OFFLINE_ACCESS in self.scopes or not self.redirect_uri


class GrantQuerySet(models.QuerySet["Grant"]):
    """Queries of grants."""

    def live(self, now: datetime) -> "GrantQuerySet":
        """Return the grants whose family is live and whose client is active."""
        return self.filter(family__in=Family.objects.live(now), client__deactivated_at=None)


class Grant(Authorization):
    """Binds a family to the client that can refresh it. The family alone determines whether the grant is live.

    No other table says that a family belongs to a client. A family without a grant is the session of a login. A grant
    with `is_offline` survives the session of the browser.
    """

    family = models.OneToOneField(Family, on_delete=models.CASCADE, primary_key=True, related_name="+")
    is_offline = models.BooleanField()

    objects = GrantQuerySet.as_manager()

    class Meta:
        """`authsvc_grant_browser` finds the grants that end with the session of a browser.

        `authsvc_grant_client` finds the newest grants of a client.
        """

        indexes: ClassVar = [
            models.Index(fields=["browser_id"], name="authsvc_grant_browser"),
            models.Index(fields=["client", "-family"], name="authsvc_grant_client"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class UsedAssertion(models.Model):
    """An assertion by which a client authenticated. It works once: `authsvc_assertion_digest`.

    `digest` is the SHA-256 digest of the client's id and the claim `jti`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.BinaryField(max_length=32)
    expires_at = models.DateTimeField()

    class Meta:
        """The digest is unique."""

        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="authsvc_assertion_digest")]

    def __str__(self) -> str:
        return str(self.pk)
