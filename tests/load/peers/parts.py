"""The common code of the peers' projects. It runs in their environments, without the service's packages."""

import os
from typing import Any

from django.contrib.auth.hashers import Argon2PasswordHasher
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


class SameArgon2(Argon2PasswordHasher):
    """Argon2id with the service's costs."""

    memory_cost = int(os.environ.get("PEER_ARGON2_MEMORY_KIB", "0"))
    time_cost = int(os.environ.get("PEER_ARGON2_TIME", "0"))
    parallelism = int(os.environ.get("PEER_ARGON2_PARALLELISM", "0"))


class Verify(APIView):
    """Return the user id to a caller with an access token."""

    permission_classes = (IsAuthenticated,)

    def get(self, request: Request) -> Response:
        """Return the caller's id."""
        user: Any = request.user
        return Response({"user_id": user.pk})
