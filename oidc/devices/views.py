"""The endpoint of devices, and the page on which a person types the code of a device."""

from django.http import HttpResponse
from django.utils.translation import gettext

from core.http.call import Call
from core.http.client import Client as HttpClient
from core.http.limits import by_caller, by_network
from core.http.view import operation
from core.ratelimit import Limit
from pages.frame.forms import Form
from pages.frame.page import Page
from sessions_app.inventory import describe_client

from ..addresses import address_of
from ..endpoint import Endpoint, json_answer
from ..models import DeviceRequest
from ..own_scopes import own_texts
from ..resources import hosts_of
from .requests import INTERVAL_SECONDS, LIFETIME, answer_request, find_waiting, start_request

_LIMITS = (by_caller(Limit.DEVICE),)
_BAD_REQUEST = 400


class StartDevice(Endpoint):
    """Starts the sign-in of a device."""

    @operation(output=HttpResponse, limits=(by_network(Limit.PUSHED),))
    def post(self, call: Call) -> HttpResponse:
        """Return the code for the device and the code for the person.

        There is no address with the code in it. Otherwise an attacker could send a person a link to the own device.
        """
        client = self.client_of(call.body, now=call.now)
        made = start_request(client=client, form=call.body, http=call.client, now=call.now)
        return json_answer(
            {
                "device_code": made.device_code,
                "user_code": made.user_code,
                "verification_uri": address_of("device"),
                "expires_in": int(LIFETIME.total_seconds()),
                "interval": INTERVAL_SECONDS,
            }
        )


class PermitDevice(Page):
    """The page on which a person types the code that a device shows, and permits or refuses the device."""

    template = "authsvc_oidc/device.html"

    @operation(output=HttpResponse)
    def get(self, call: Call) -> HttpResponse:
        """Return the question for the code. No code is filled in, because a link of an attacker could contain it."""
        return self.render({})

    @operation(output=HttpResponse, limits=_LIMITS)
    def post(self, call: Call) -> HttpResponse:
        """Show which device asks, or store the answer of the person."""
        assert self.session is not None  # noqa: S101 - the page demands a session
        request = find_waiting(self.form.values.get("code", ""), now=call.now)
        if request is None:
            return self.refuse_code()
        decision = self.form.values.get("decision", "")
        if decision not in ("allow", "deny"):
            return self.ask(request)
        if not answer_request(request, session=self.session, permits=decision == "allow", now=call.now):
            return self.refuse_code()
        context = {"client": request.client, "is_permitted": decision == "allow"}
        return self.render(context, template="authsvc_oidc/device_answered.html")

    def refuse_code(self) -> HttpResponse:
        """Return the question for the code again, with a message."""
        message = gettext("The code is wrong or has expired. Start again on the device.")
        return self.render({}, status=_BAD_REQUEST, form=Form(errors={"code": message}))

    def ask(self, request: DeviceRequest) -> HttpResponse:
        """Return the question whether the person has this device, and permits the client."""
        context = {
            "client": request.client,
            "ip": request.ip,
            **describe_client(HttpClient(ip=request.ip, user_agent=request.user_agent)),
            "scopes": request.scope.split(),
            "own_texts": own_texts(request.scope.split(), language=self.language),
            "reached": hosts_of(request.resource.split()),
            "code": self.form.values["code"],
        }
        return self.render(context, template="authsvc_oidc/device_question.html")
