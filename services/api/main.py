"""The composition root of an API process: from the settings to a running application.

`services.api.server` serves it: with uvicorn alone there would be no bounds on heads and messages, and no `bye`.
"""

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from litestar.types import ControllerRouterHandler
from pydantic import SecretStr

from infra.bus import Bus
from infra.clock import SystemClock, SystemEntropy
from infra.collector import spare_long_lived
from infra.memory.bus import MemoryBroker, MemoryBus
from infra.memory.presence import MemoryPresence
from infra.postgres.anchors import PostgresAnchorStore
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.migrate import schema_state
from infra.postgres.players import PostgresPlayerStore
from infra.postgres.pool import Database
from infra.presence import Presence
from infra.redis.opening import redis_bus, redis_presence
from infra.settings import Settings, SettingsRefused, load_settings
from infra.signing import SigningKeys, kept_signing_keys, parse_signing_keys
from services.api.answers import encode
from services.api.app import create_app
from services.api.envelope import Envelope
from services.api.parts import Parts
from services.api.readiness import Readiness
from services.audit.anchoring import GRACE, Anchoring
from services.audit.audits import Audits
from services.audit.daily import Daily
from services.audit.exports import Exports
from services.audit.jwks import jwks
from services.erasure.erasures import Erasures
from services.games.games import Games
from services.games.turns import Turns
from services.identity.access import AccessTokens
from services.identity.keys import TokenKeys, kept_keys, parse_keys
from services.identity.sessions import Sessions
from services.identity.tickets import Tickets
from services.limits.limits import Limits
from services.live.live import Live
from services.live.rooms import Rooms
from services.replay.replays import Replays


def create(
    extra_handlers: Sequence[ControllerRouterHandler] = (),
    store_on: Callable[[Database], PostgresEventStore] = PostgresEventStore,
) -> Envelope:
    """The application with the settings of this process; `extra_handlers` as in `create_app`, and `store_on` for a
    measurement that looks at what the store does.

    Raises SettingsRefused or KeyRefused before anything is opened.
    """
    settings = load_settings()
    signing = signing_keys(settings)
    database_url = _secret(settings.database_url)
    if database_url is None:
        raise SettingsRefused(["BOHNANZA_DATABASE_URL: the API needs a database; `bohnanza up` brings one along"])
    application = create_app(
        partial(open_parts, settings, token_keys(settings), signing, database_url, store_on),
        body_limit=settings.body_limit,
        cors_origins=settings.allowed_origins,
        known_keys=encode(jwks(signing.public)),
        extra_handlers=extra_handlers,
    )
    spare_long_lived()
    return application


def token_keys(settings: Settings) -> TokenKeys:
    """The keys of the settings, or those that the data directory keeps."""
    if settings.token_keys is not None:
        return parse_keys(settings.token_keys.get_secret_value())
    return kept_keys(settings.data_dir)


def signing_keys(settings: Settings) -> SigningKeys:
    """The same of the keys that sign finished games."""
    if settings.signing_keys is not None:
        return parse_signing_keys(settings.signing_keys.get_secret_value())
    return kept_signing_keys(settings.data_dir)


def _secret(value: SecretStr | None) -> str | None:
    return None if value is None else value.get_secret_value()


def _bus(redis_url: str | None) -> Bus:
    """Without Redis a process tells nobody but itself; others learn by their sweeps."""
    return MemoryBus(MemoryBroker()) if redis_url is None else redis_bus(redis_url)


def _presence(redis_url: str | None) -> Presence:
    return MemoryPresence() if redis_url is None else redis_presence(redis_url)


@asynccontextmanager
async def open_parts(
    settings: Settings,
    keys: TokenKeys,
    signing: SigningKeys,
    database_url: str,
    store_on: Callable[[Database], PostgresEventStore] = PostgresEventStore,
) -> AsyncIterator[Parts]:
    """Everything that the routes work with; closed again when the process shuts down.

    The pool connects on first use, so the process also starts while the database is away, and says
    at /health/ready that it waits.
    """
    clock, entropy = SystemClock(), SystemEntropy()
    database = await Database.open(database_url, size=settings.database_pool_size, application_name="bohnanza-api")
    store = store_on(database)
    anchors = PostgresAnchorStore(database)
    anchoring = Anchoring(store, anchors, signing.sign, clock, other_clock=database.now)
    daily = Daily(anchoring.anchor, clock, GRACE)
    players = PostgresPlayerStore(database)
    access = AccessTokens(keys, clock, settings.access_token_seconds)
    redis_url = _secret(settings.redis_url)
    origin = secrets.token_hex(8)
    bus = _bus(redis_url)
    rooms = Rooms(store, bus, origin)
    games = Games(
        store, players, clock, entropy, cached_games=settings.cached_games, announce=rooms.announce, sign=signing.sign
    )
    presence = _presence(redis_url)
    turns = Turns()
    live = Live(games, rooms, presence, origin)
    erasures = Erasures(players, access, games, live, clock)
    readiness = Readiness(
        database.ping,
        partial(schema_state, database_url),
        None if redis_url is None else lambda: bus.is_connected,
        lambda: live.is_working and erasures.is_working,
    )
    try:
        await live.open()
        daily.open()
        await erasures.open()
        yield Parts(
            games=games,
            live=live,
            erasures=erasures,
            replays=Replays(store, players, turns),
            players=players,
            access=access,
            sessions=Sessions(players, access, clock, entropy, timedelta(days=settings.refresh_token_days)),
            tickets=Tickets(players, clock, entropy, settings.ticket_seconds),
            limits=Limits(
                clock,
                commands=settings.commands_per_second,
                requests=settings.requests_per_second,
                address_requests=settings.address_requests_per_second,
            ),
            signing=signing,
            exports=Exports(store, anchors, signing, turns),
            audits=Audits(store, anchors, signing, turns),
            anchors=anchors,
            readiness=readiness,
            body_limit=settings.body_limit,
        )
    finally:
        await daily.close()
        await erasures.close()
        await live.close()
        await presence.close()
        await readiness.close()
        await store.close()
        await database.close()
