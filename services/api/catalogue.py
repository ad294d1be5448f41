"""Every code that a problem can have. The one place where a code gets its status and its standing advice."""

from typing import Final

from msgspec import Struct

from domain.refusal import RefusalCode


class Kind(Struct, frozen=True):
    """What every problem of one code has in common. `detail` is what to do when nobody knows better."""

    status: int
    title: str
    detail: str


_REFUSALS: Final[dict[RefusalCode, str]] = {
    "not_your_turn": "It is another player's turn",
    "wrong_phase": "Not in this phase",
    "not_front_card": "Not the front card",
    "must_plant_first": "The front card must be planted first",
    "already_planted_two": "Two cards are planted already",
    "unknown_card": "No such card here",
    "no_such_field": "No such field",
    "field_occupied": "Another bean grows in that field",
    "bean_protected": "A single bean is protected",
    "field_empty": "The field is empty",
    "not_enough_coins": "Not enough coins",
    "field_not_for_sale": "No field is for sale",
    "empty_offer": "An offer of nothing for nothing",
    "not_a_party": "Not a party to this deal",
    "offer_not_found": "No such open offer",
    "offer_mismatch": "The cards do not match the offer",
    "too_many_offers": "Too many offers are open",
    "game_not_running": "The game is not running",
    "game_full": "Every seat is taken",
    "seats_open": "Seats are still open",
    "already_started": "The game has started already",
}
# True for every route: most requests take no key, and only a command needs one to have one effect.
_AGAIN: Final = (
    "Send the same request again after `Retry-After` seconds, a command with the same `Idempotency-Key`: "
    "it may have been carried out already."
)
_REFUSED: Final = "Read the game again and choose among `GET /v1/games/{id}/actions`."

KINDS: Final[dict[str, Kind]] = {
    "malformed": Kind(400, "The request is malformed", "Compare it with the OpenAPI document at /schema."),
    "idempotency_key_required": Kind(
        400,
        "An Idempotency-Key is required",
        "Send the header `Idempotency-Key` with a new random value for every new command, "
        "and the same value when you repeat one.",
    ),
    "token_missing": Kind(
        401,
        "An access token is required",
        "Send `Authorization: Bearer <access_token>`; `POST /v1/players` gives you one.",
    ),
    "token_invalid": Kind(
        401,
        "The access token is not valid",
        "Get a new pair with `POST /v1/tokens`, or a new guest with `POST /v1/players`.",
    ),
    "token_expired": Kind(401, "The access token has expired", "Get a new pair with `POST /v1/tokens`."),
    "refresh_token_invalid": Kind(
        401,
        "The refresh token is not valid",
        "It is wrong, expired or was used before. Sign in again with `POST /v1/players`.",
    ),
    "ticket_invalid": Kind(
        401,
        "The ticket is not valid",
        "It is wrong, expired or was used before. Get a new one with `POST /v1/tickets`.",
    ),
    "not_your_seat": Kind(403, "You have no seat in this game", "Join it first, or play from a seat of your own."),
    "not_host": Kind(403, "Only the host may do this", "Ask the player on seat 0."),
    "not_revealed": Kind(
        403,
        "Not while the game runs",
        "Look from your own seat or as a spectator (`as`) until it is over; then everything is shown.",
    ),
    "not_found": Kind(404, "There is nothing here", "The routes are listed at /schema."),
    "game_not_found": Kind(
        404,
        "No such game",
        "Check the id. A private game is known only to those who sit in it or hold its invite.",
    ),
    "version_not_found": Kind(
        404,
        "No such version",
        "The game has the versions from 1 to the `version` of this problem.",
    ),
    "game_running": Kind(
        409,
        "The game is not over",
        "Its history is whole, and open to all who may know of the game, when it has ended or was abandoned.",
    ),
    "player_not_found": Kind(404, "No such player", "Check the id."),
    "method_not_allowed": Kind(405, "The method is not allowed here", "The header `Allow` lists those that are."),
    "head_too_large": Kind(431, "The request line and headers are too large", "Send less than 32 KiB of them."),
    "request_timeout": Kind(
        408,
        "The request took too long",
        "Send the whole of it at once. Nothing has been done; send the same request again.",
    ),
    "stale_version": Kind(
        412,
        "The game has moved on",
        "Read the game again, decide anew and send the new version in `If-Match`.",
    ),
    "body_too_large": Kind(413, "The body is too large", "Send less."),
    "unsupported_media_type": Kind(
        415,
        "The body is not JSON",
        "Send `Content-Type: application/json` and an unencoded body in UTF-8.",
    ),
    "key_reused": Kind(
        422,
        "The Idempotency-Key was used for another command",
        "Use a new random key for every new command.",
    ),
    "rate_limited": Kind(
        429,
        "Too much at once",
        "Nothing has been done. Send the same request again after `Retry-After` seconds, "
        "a command with the same `Idempotency-Key`.",
    ),
    "too_many_streams": Kind(
        429,
        "Too many streams are open",
        "Close some of them first. Streams of a client that was cut off end by themselves within a minute.",
    ),
    "internal": Kind(
        500,
        "Something is broken on this side",
        "Send the same request again later, a command with the same `Idempotency-Key`: "
        "it may have been carried out already.",
    ),
    "busy": Kind(
        503,
        "Too much is going on in this game",
        _AGAIN,
    ),
    "store_unavailable": Kind(
        503,
        "The database cannot be reached",
        _AGAIN,
    ),
    "history_unreadable": Kind(
        503,
        "This server cannot read the game",
        "It was probably written by a newer server; send the same request again after `Retry-After` seconds.",
    ),
    "not_ready": Kind(503, "Not ready", "Ask again after `Retry-After` seconds."),
    **{code: Kind(409, title, _REFUSED) for code, title in _REFUSALS.items()},
}
"""Every code with its status, its title and its standing advice."""
