"""Names that are the same in all languages."""

from events.vocabulary import ACCOUNT_EVENTS

_NAMES = """
comma: (,|、)
end: ;
and: &
to: (\u2013|\u2014|~|〜)
browsers Chrome: [google] chrome
browsers Firefox: [mozilla] firefox
browsers Safari: safari
browsers Edge: [microsoft|ms] edge
browsers Opera: opera
browsers Brave: brave
browsers Vivaldi: vivaldi
browsers Samsung Internet: samsung internet
browsers Internet Explorer: internet explorer
browsers DuckDuckGo: duckduckgo
browsers curl: curl
systems Windows: [microsoft] windows
systems macOS: (mac os|macos|os x|mac|macbook|imac)
systems iOS: ios
systems Linux: linux
systems Ubuntu: ubuntu
systems Android: android
systems ChromeOS: (chrome os|chromeos|chromebook)
forms iphone: iphone
forms ipad: ipad
prop id: id, ids+
prop user_agent: user agent, user agents+
con twofactor: (2fa|mfa|tfa|2 fa)
con totp: totp
con passkey: passkey, passkeys+
"""

TABLE = _NAMES + "\n".join(f"con {event}: {event}" for event in ACCOUNT_EVENTS if "_" in event)
"""The values of the event types are words too, because the answers show them."""
