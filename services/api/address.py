"""What a request says in its address: the ids in its path, and its query."""

from typing import Final, TypeVar
from urllib.parse import parse_qsl

import msgspec

from infra.identifiers import is_identifier
from services.api.problems import ApiError
from services.api.requests import Headed, misshapen

Q = TypeVar("Q")

_MOST_PARAMETERS: Final = 16


def game_id(text: str) -> str:
    """A game id from a path. What is no id belongs to no game, and gets the same answer."""
    return _id(text, "game_not_found")


def player_id(text: str) -> str:
    """A player id from a path."""
    return _id(text, "player_not_found")


def query(scope: Headed, shape: type[Q]) -> Q:
    """The query parameters as that struct; ApiError for unknown, repeated or wrong ones."""
    text = scope["query_string"]
    if not text:
        return msgspec.convert({}, shape)
    try:
        pairs = parse_qsl(
            text.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
        values = dict(pairs)
        if len(values) != len(pairs):
            raise ApiError(code="malformed", detail="A query parameter is there more than once.")
        return msgspec.convert(values, shape, strict=False)
    except msgspec.ValidationError as error:
        raise misshapen(error, shape) from None
    except ValueError:
        raise ApiError(code="malformed", detail="The query string cannot be read.") from None


def _id(text: str, code: str) -> str:
    identifier = text.lower()
    if not is_identifier(identifier):
        raise ApiError(code=code)
    return identifier
