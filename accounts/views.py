"""Routes of the accounts app."""

from .change_password import change_password
from .core import ratelimit
from .core.errors import BadRequest, Overloaded, RateLimited
from .core.view import Call, Caller, ServiceView, operation
from .deletion import delete_account
from .errors import InvalidCredentials, PasswordBreached, PasswordPolicyViolation, UserExists
from .serializers import ChangePasswordInput, CurrentPasswordInput, SignupInput, SignupOutput, StatusOutput
from .signup import NewAccount, sign_up


class Signup(ServiceView):
    """Make an account."""

    caller = Caller.PUBLIC

    @operation(
        input=SignupInput,
        output=SignupOutput,
        status=201,
        errors=(BadRequest, PasswordPolicyViolation, PasswordBreached, UserExists, RateLimited, Overloaded),
    )
    def post(self, call: Call) -> NewAccount:
        """Make an account with an e-mail address and a password. Issues no tokens: log in next."""
        ratelimit.hit("signup", ratelimit.network_key(call.client.ip), now=call.now)
        return sign_up(**call.body, client=call.client, now=call.now)


class ChangePassword(ServiceView):
    """Change the password."""

    @operation(
        input=ChangePasswordInput,
        output=StatusOutput,
        errors=(BadRequest, InvalidCredentials, PasswordPolicyViolation, PasswordBreached, RateLimited, Overloaded),
    )
    def post(self, call: Call) -> dict[str, str]:
        """Change the password and end every session, the calling one included: log in again."""
        ratelimit.hit("password", call.user_id, now=call.now)
        change_password(user_id=call.user_id, **call.body, client=call.client, now=call.now)
        return {"status": "password changed"}


class DeleteAccount(ServiceView):
    """Delete the account."""

    @operation(
        input=CurrentPasswordInput,
        output=StatusOutput,
        errors=(BadRequest, InvalidCredentials, RateLimited, Overloaded),
    )
    def post(self, call: Call) -> dict[str, str]:
        """Delete the account and everything that belongs to it, for good."""
        ratelimit.hit("password", call.user_id, now=call.now)
        delete_account(user_id=call.user_id, **call.body, client=call.client, now=call.now)
        return {"status": "account deleted"}
