"""The table of contents of the API's description: the sections and their operations, in reading order.

An operation id is a verb and its object: `get` reads one thing, `list` several, `set` stores. Generated clients use the
ids in this table as names. Therefore a released id never changes.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the API's description. `operations` are operation ids."""

    title: str
    description: str
    operations: tuple[str, ...]


CONTENTS = (
    Section(
        title="Sign-up and login",
        description="Create an account, log in, complete a second factor, and refresh the tokens.",
        operations=(
            "signUp",
            "logIn",
            "completeTotpStep",
            "beginPasskeyStep",
            "finishPasskeyStep",
            "completeRecoveryCodeStep",
            "beginPasskeyOnlyLogin",
            "finishPasskeyOnlyLogin",
            "requestMagicLink",
            "completeMagicLink",
            "acceptInvitation",
            "completeMagicLinkCode",
            "requestPasswordReset",
            "resetPassword",
            "requestRecovery",
            "cancelRecovery",
            "completeRecovery",
            "refreshTokens",
        ),
    ),
    Section(
        title="Sign-in with a provider",
        description="Log in with Google, GitHub or any OpenID Connect issuer, and manage the identities of an account.",
        operations=(
            "listOauthProviders",
            "startOauth",
            "completeOauth",
            "listIdentities",
            "unlinkIdentity",
        ),
    ),
    Section(
        title="Sessions",
        description="Each login starts a session. A session lasts until it is ended or its refresh token expires.",
        operations=(
            "verifyCredential",
            "getSession",
            "listSessions",
            "endSession",
            "reauthenticateSession",
            "beginPasskeyReauthentication",
            "logOut",
            "logOutEverywhere",
            "listApplications",
            "endApplication",
            "listRevocations",
        ),
    ),
    Section(
        title="Account",
        description="Show the account, change the password, change or verify the e-mail address, or delete the account.",
        operations=(
            "getProfile",
            "exportData",
            "changePassword",
            "requestEmailChange",
            "confirmEmailChange",
            "undoEmailChange",
            "requestEmailVerification",
            "confirmEmailVerification",
            "deleteAccount",
        ),
    ),
    Section(
        title="Second factors",
        description="Manage authenticator apps, passkeys and recovery codes.",
        operations=(
            "enrollTotp",
            "getTotpQrCode",
            "confirmTotp",
            "disableTotp",
            "beginPasskeyRegistration",
            "finishPasskeyRegistration",
            "listPasskeys",
            "signalPasskeys",
            "removePasskey",
            "generateRecoveryCodes",
        ),
    ),
    Section(
        title="API keys",
        description="Manage keys for machines. `GET /v1/verify` checks a key.",
        operations=("createApiKey", "listApiKeys", "revokeApiKey"),
    ),
    Section(
        title="Ask-AI",
        description="Ask questions about the caller's own sessions and audit events.",
        operations=("askAi", "getWidgetTexts"),
    ),
    Section(
        title="Operator console",
        description="For operators of a full deployment. Their access tokens contain the claim `role: admin`.",
        operations=(
            "getOverview",
            "listUsers",
            "searchUsers",
            "getUser",
            "listUserSessions",
            "getUserFactors",
            "listUserApiKeys",
            "listUserIdentities",
            "listClients",
            "getClient",
            "getMetadata",
            "setMetadata",
            "deleteMetadata",
            "listEvents",
            "listAnomalies",
            "reviewAnomaly",
            "getHashMigration",
            "getMfaAdoption",
            "checkOauthProviders",
            "diagnoseLogin",
            "listDeliveries",
            "listShippedLogs",
            "getDigest",
            "listDigests",
            "getConfigTuning",
            "getLlmProvider",
            "setLlmProvider",
            "deleteLlmProvider",
            "testLlmProvider",
            "getDatabaseProvider",
            "setDatabaseProvider",
            "deleteDatabaseProvider",
            "testDatabaseProvider",
            "getAskAiWidget",
            "setAskAiWidget",
            "deleteAskAiWidget",
            "testAskAiWidget",
        ),
    ),
    Section(
        title="Service",
        description="The health check, this description, the public keys that verify access tokens, and related origins.",
        operations=("checkHealth", "getJwks", "getRelatedOrigins", "getOpenApiDocument"),
    ),
)

_POSITIONS = {
    operation: (position, section)
    for position, (operation, section) in enumerate(
        (operation, section) for section in CONTENTS for operation in section.operations
    )
}


def position_of(operation_id: str) -> int:
    """Return the number of operations before this one in the table.

    Raises KeyError when the operation is not in the table.
    """
    return _POSITIONS[operation_id][0]


def section_of(operation_id: str) -> Section:
    """Return the section of the operation. Raises KeyError when the operation is not in the table."""
    return _POSITIONS[operation_id][1]
