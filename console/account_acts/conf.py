"""The setting that lets operators act in the pages of the console."""

from dataclasses import dataclass

from core.conf import SWITCH, section, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ActSettings:
    """The switch of the acts."""

    is_on: bool = setting(
        "OPERATOR_ACTS",
        False,
        SWITCH,
        "Whether operators with the role `support` or `admin` can act in the console at `/console/`: on accounts, on webhook "
        "deliveries and on networks. Off: the pages print the commands of the host instead.",
    )


act_settings = section(ActSettings)
