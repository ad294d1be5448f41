"""What the checks of histories have found, as a person reads it."""

from rich.console import Console
from rich.text import Text

from domain.audit import NOT_REACHED, Check
from services.audit.files import Verdict
from services.audit.kept import NOT_YET
from services.audit.signatures import UNTRUSTED
from services.screen.harmless import harmless


def show(name: str, verdict: Verdict, console: Console) -> None:
    """One history, check by check."""
    console.print(Text(harmless(name), "bold"), soft_wrap=True)
    if verdict.game is not None:
        console.print(Text(f"  game {verdict.game}, {verdict.events} events", "dim"), soft_wrap=True)
    for check in verdict.checks:
        show_check(check, console)
    if any(not check.ok and not check.detail.startswith(NOT_YET) for check in verdict.checks):
        console.print(Text("  Not all is right.", "bold red"))
    elif not verdict.ok:
        console.print(Text("  Nothing is wrong, but not all could be checked yet.", "bold yellow"))
    elif any(UNTRUSTED in check.detail for check in verdict.checks):
        console.print(Text("  All is right, if the key is the server's: --keys tells.", "bold yellow"))
    else:
        console.print(Text("  All is right.", "bold green"))


def show_check(check: Check, console: Console) -> None:
    """One line."""
    if check.ok:
        mark, style = "right", "green"
    elif check.detail.startswith((NOT_REACHED, NOT_YET)):
        mark, style = "-", "dim"
    else:
        mark, style = "WRONG", "bold red"
    # What stands in a file is other people's text: nothing in it is markup, and nothing moves the cursor.
    console.print(
        Text.assemble("  ", (f"{mark:5}", style), f"  {check.name:10}  {harmless(check.detail)}"), soft_wrap=True
    )
