"""A permission for operators on the DRF views of a host project.

    class Refunds(APIView):
        authentication_classes = [AccessTokenAuthentication]
        permission_classes = [IsOperator]

The permission needs an access token, because only access tokens name operators.
"""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.clock import now
from core.errors import InvalidAccessToken
from core.keys.jwt import Caller
from sessions_app.site.callers import authentication_failed

from .errors import NotOperator
from .operators.grants import get_operator_session


class IsOperator(BasePermission):
    """Permits access tokens of operators with a live session. Refuses other callers with the code `not_operator`.

    The check needs the role in the token, and runs one query. So a revocation has effect at once, and a grant at the
    next refresh. `OPERATOR_SECOND_FACTOR` counts too.
    """

    message = NotOperator.message
    code = NotOperator.code

    # The type of `view` is not imported, because DRF imports its default classes while it defines APIView.
    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the caller is an operator. Raises AuthenticationFailed when the session has ended."""
        if not isinstance(request.auth, Caller) or not request.auth.is_operator:
            return False
        try:
            get_operator_session(caller=request.auth, now=now())
        except NotOperator:
            return False
        except InvalidAccessToken as error:
            raise authentication_failed(error) from None
        return True
