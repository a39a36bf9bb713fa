"""The documents by which clients find the provider."""

from django.test import Client
from django.urls import resolve

from oidc.addresses import issuer


def test_both_documents_name_the_endpoints() -> None:
    http = Client()

    answers = [http.get(f"/.well-known/{name}") for name in ("openid-configuration", "oauth-authorization-server")]

    document = answers[0].json()
    assert document == answers[1].json()
    assert answers[0].headers["Cache-Control"] == "public, max-age=3600"
    assert document["issuer"] == issuer() == "http://localhost:8000"
    addresses = [value for name, value in document.items() if name.endswith("_endpoint") or name == "jwks_uri"]
    assert len(addresses) == 9
    assert all(resolve(address.removeprefix(issuer())).route for address in addresses)
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["id_token_signing_alg_values_supported"] == ["ES256", "RS256"]
    assert document["authorization_response_iss_parameter_supported"] is True
    assert document["response_types_supported"] == ["code"]
