"""The one exception of the client."""

from collections.abc import Sequence


class GatehouseError(Exception):
    """The service refused a call, or no answer arrived.

    `code` is the code of the service's error. The client adds `no_answer` and `signed_out`. `message` is for people.
    `status` is the status of the response, or 0 without a response. `details` are the rules that a password breaks.
    `retry_after` is the header Retry-After in seconds, if the response has one.
    """

    def __init__(
        self,
        *,
        code: str,
        message: str,
        status: int,
        details: Sequence[str] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.details = tuple(details)
        self.retry_after = retry_after
