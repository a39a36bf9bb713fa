"""The table of contents of the API's description: the sections and their operations, in reading order.

Generated clients use the operation ids in this table as names. Therefore an operation id never changes.
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
        description="From a new account to a pair of tokens, and from an old pair to a new one.",
        operations=(
            "signup",
            "login",
            "loginTotp",
            "beginLoginPasskey",
            "finishLoginPasskey",
            "loginRecoveryCode",
            "requestMagicLink",
            "completeMagicLink",
            "refresh",
        ),
    ),
    Section(
        title="Sessions",
        description="Each login is a session. It lives until it is ended or its refresh token expires.",
        operations=("verify", "listSessions", "endSession", "logout", "logoutAll"),
    ),
    Section(
        title="Account",
        description="The password and the e-mail address.",
        operations=("changePassword", "requestEmailChange", "confirmEmailChange", "deleteAccount"),
    ),
    Section(
        title="Second factors",
        description="Authenticator apps, passkeys and recovery codes.",
        operations=(
            "enrollTotp",
            "totpQrCode",
            "confirmTotp",
            "disableTotp",
            "beginRegisterPasskey",
            "finishRegisterPasskey",
            "listPasskeys",
            "removePasskey",
            "generateRecoveryCodes",
        ),
    ),
    Section(
        title="API keys",
        description="Keys for machines. `GET /v1/verify` checks a key.",
        operations=("postApiKeys", "getApiKeys", "revokeApiKey"),
    ),
    Section(
        title="Ask-AI",
        description="Questions about the caller's own sessions and audit events.",
        operations=("askAi", "showWidget"),
    ),
    Section(
        title="Operator console",
        description="For operators of a full deployment: their access token carries the claim `role: admin`.",
        operations=(
            "listUsers",
            "showUser",
            "showMetadata",
            "putChangeMetadata",
            "deleteChangeMetadata",
            "listAnomalies",
            "reviewAnomaly",
            "hashMigration",
            "mfaAdoption",
            "oAuthHealth",
            "diagnose",
            "listDeliveries",
            "listShippedLogs",
            "freshDigest",
            "listDigests",
            "configTuning",
            "getLlmProvider",
            "putLlmProvider",
            "deleteLlmProvider",
            "getDatabaseProvider",
            "putDatabaseProvider",
            "deleteDatabaseProvider",
            "getAskAiWidget",
            "putAskAiWidget",
            "deleteAskAiWidget",
        ),
    ),
    Section(
        title="Service",
        description="Health, this description, and the keys that access tokens are verified with.",
        operations=("health", "jwks", "openApiDocument"),
    ),
)

_PLACES = {
    operation: (place, section)
    for place, (operation, section) in enumerate(
        (operation, section) for section in CONTENTS for operation in section.operations
    )
}


def place_of(operation_id: str) -> int:
    """Return the number of operations before this one in the table.

    Raises KeyError when the operation is not in the table.
    """
    return _PLACES[operation_id][0]


def section_of(operation_id: str) -> Section:
    """Return the section of the operation. Raises KeyError when the operation is not in the table."""
    return _PLACES[operation_id][1]
