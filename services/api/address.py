"""What a request says in its address: the ids in its path, and its query."""

import re
from functools import lru_cache
from typing import Final, TypeVar, get_args
from urllib.parse import parse_qsl

import msgspec
from msgspec.structs import fields

from infra.identifiers import is_identifier
from services.api.problems import ApiError
from services.api.requests import Headed, misplaced, misshapen

Q = TypeVar("Q", bound=msgspec.Struct)

_MOST_PARAMETERS: Final = 16
_NUMBER: Final = re.compile("0|-?[1-9][0-9]*")


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
        for name in _whole_numbers(shape).intersection(values):
            # What is not strict would take `1e1` and `10.0` for ten.
            if _NUMBER.fullmatch(values[name]) is None:
                raise misplaced(f"$.{name}", "Expected a whole number, in digits")
        return msgspec.convert(values, shape, strict=False)
    except msgspec.ValidationError as error:
        raise misshapen(error, shape) from None
    except ValueError:
        raise ApiError(code="malformed", detail="The query string cannot be read.") from None


@lru_cache
def _whole_numbers(shape: type) -> frozenset[str]:
    """The parameters that are numbers."""
    return frozenset(field.encode_name for field in fields(shape) if _holds_a_number(field.type))


def _holds_a_number(kind: object) -> bool:
    return kind is int or any(_holds_a_number(part) for part in get_args(kind))


def _id(text: str, code: str) -> str:
    identifier = text.lower()
    if not is_identifier(identifier):
        raise ApiError(code=code)
    return identifier
