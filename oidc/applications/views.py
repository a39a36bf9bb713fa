"""The routes below /v1 for the applications of the caller."""

from core.errors import NotFound
from core.http.answers import Status
from core.http.call import Call
from core.http.view import ServiceView, operation

from .own import Applications, end_application, list_own_applications


class ListApplications(ServiceView):
    """List the applications with access to the caller's account."""

    @operation(output=Applications)
    def get(self, call: Call) -> Applications:
        """Return the applications that have a session of the account, or the consent of its owner."""
        return list_own_applications(user_id=call.user_id, now=call.now)


class EndApplication(ServiceView):
    """End the access of an application."""

    done = Status(status="application disconnected")

    @operation(output=Status, example=done, errors=(NotFound,))
    def delete(self, call: Call) -> Status:
        """End all sessions of the application and withdraw the consent. At the next sign-in, it asks the owner again."""
        end_application(caller=call.signed_in, client_id=call.path["client_id"], client=call.client, now=call.now)
        return self.done
