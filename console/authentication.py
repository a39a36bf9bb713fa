"""A permission for operators on the DRF views of a host project.

    class Refunds(APIView):
        authentication_classes = [AccessTokenAuthentication]
        permission_classes = [IsOperator]

The permission needs an access token, because only access tokens name operators.
"""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.keys.jwt import Caller

from .errors import NotOperator


class IsOperator(BasePermission):
    """Permits access tokens with the role of an operator. Refuses other callers with the code `not_operator`.

    The check reads the token and runs no query. So a grant or a revocation of the role has effect at the next refresh.
    """

    message = NotOperator.message
    code = NotOperator.code

    # The type of `view` is not imported, because DRF imports its default classes while it defines APIView.
    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the request's access token belongs to an operator."""
        return isinstance(request.auth, Caller) and request.auth.is_operator
