"""Block lists of a network, in the syntax of the programs before the service. The functions are pure."""

from core.http.client import Network


def block_lists(network: Network) -> dict[str, str]:
    """Return the line that blocks the network, by the name of the program.

    The line for nginx belongs in a block `http`, `server` or `location`, and that for HAProxy in a frontend. The line for
    fail2ban is a command. Its jail `gatehouse` must exist on the host.
    """
    return {
        "nginx": f"deny {network};",
        "HAProxy": f"http-request deny deny_status 403 if {{ src {network} }}",
        "fail2ban": f"fail2ban-client set gatehouse banip {network}",
    }
