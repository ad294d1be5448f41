"""The option that names a running server, as several commands take it."""

import rich_click as click

from services.client.connection import server_address


def checked_url(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """The address without anything behind its host; click tells what one looks like. None where none was given."""
    try:
        return None if value is None else server_address(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
