import jwt as pyjwt

from tests.client import Api
from tests.people import Person


def test_the_key_set_is_enough_to_verify_an_access_token(api: Api, alice: Person) -> None:
    token = alice.log_in().access

    answer = api.get("/.well-known/jwks.json")

    assert answer.headers["Cache-Control"] == "public, max-age=300"
    header = pyjwt.get_unverified_header(token)
    (key,) = [key for key in pyjwt.PyJWKSet.from_dict(answer.body).keys if key.key_id == header["kid"]]
    claims = pyjwt.decode(token, key, algorithms=["ES256"], audience="authsvc", issuer="http://localhost:8000")
    assert header == {"alg": "ES256", "typ": "at+jwt", "kid": header["kid"]}
    assert set(claims) == {"iss", "sub", "aud", "exp", "nbf", "iat", "jti"}
    assert claims["sub"] == alice.user_id
    assert claims["exp"] - claims["iat"] == 900


def test_the_key_set_holds_no_private_member(api: Api) -> None:
    private = {"d", "p", "q", "dp", "dq", "qi", "k"}

    assert all(not private & set(key) for key in api.get("/.well-known/jwks.json").body["keys"])
