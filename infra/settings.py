"""Everything that can be set from outside, each with its meaning, read once from the environment.

A wrong setting stops the program before it touches anything, all wrong ones are named at once, and no secret is ever
shown: not in a message, not in a representation.
"""

import difflib
import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from infra.addresses import check_postgres, check_redis
from infra.signing import parse_signing_keys

PREFIX: Final = "BOHNANZA_"
TEST_PREFIX: Final = "BOHNANZA_TEST_"
"""Read by the tests only, so it is no setting."""

SHORTEST_TOKEN_KEY: Final = 32
"""Bytes. HS256 is as strong as its key up to the length of the hash (RFC 7518, section 3.2)."""


class SettingsRefused(Exception):
    """One line in `wrong` for each setting that cannot be used."""

    def __init__(self, wrong: list[str]) -> None:
        super().__init__("\n".join(wrong))
        self.wrong = wrong


def _host(value: str) -> str:
    if value != "localhost":
        ip_address(value)
    return value


def _database_url(value: SecretStr) -> SecretStr:
    check_postgres(value.get_secret_value())
    return value


def _redis_url(value: SecretStr) -> SecretStr:
    check_redis(value.get_secret_value())
    return value


def _token_keys(value: SecretStr) -> SecretStr:
    keys = value.get_secret_value().split(",")
    if any(len(key.strip().encode()) < SHORTEST_TOKEN_KEY for key in keys):
        raise ValueError
    return value


def _signing_keys(value: SecretStr) -> SecretStr:
    parse_signing_keys(value.get_secret_value())
    return value


def _origins(value: str) -> str:
    for origin in filter(None, map(str.strip, value.split(","))):
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or origin != f"{parts.scheme}://{parts.netloc}" or not parts.hostname:
            raise ValueError
    return value


def _absolute(value: Path) -> Path:
    return value.expanduser().absolute()


DatabaseUrl = Annotated[SecretStr, AfterValidator(_database_url)]
RedisUrl = Annotated[SecretStr, AfterValidator(_redis_url)]
TokenKeys = Annotated[SecretStr, AfterValidator(_token_keys)]
SigningKeysText = Annotated[SecretStr, AfterValidator(_signing_keys)]
Port = Annotated[int, Field(ge=0, le=65535)]


class Settings(BaseSettings):
    """A description says what is expected; messages and the table in the README are made from it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore", validate_default=True
    )

    host: Annotated[str, AfterValidator(_host)] = Field(default="127.0.0.1", description="an IP address, or localhost")
    port: Port = Field(default=8000, description="a whole number from 0 to 65535; 0 takes any free port")
    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(
        default=Path("data"), description="the folder for the embedded servers and the generated keys"
    )
    database_url: DatabaseUrl | None = Field(
        default=None,
        description="an address like postgresql://user:password@host:5432/database; without it Postgres is embedded",
    )
    migrate_database_url: DatabaseUrl | None = Field(
        default=None,
        description="the same for the owner of the tables; without it BOHNANZA_DATABASE_URL serves for both",
    )
    redis_url: RedisUrl | None = Field(
        default=None,
        description="an address like redis://host:6379/0, or redis://one:6379,two:6379/?cluster=true for a cluster; "
        "without it Valkey is embedded",
    )
    token_keys: TokenKeys | None = Field(
        default=None,
        description=f"keys of at least {SHORTEST_TOKEN_KEY} bytes, separated by commas: the first signs, all verify; "
        "without them one is generated and kept in the data folder",
    )
    signing_keys: SigningKeysText | None = Field(
        default=None,
        description="keys of 32 bytes in base64, separated by commas: the first signs finished games, all verify, and "
        "one that is retired may be public: and its id; without them one is generated and kept in the data folder",
    )
    access_token_seconds: int = Field(
        default=900, ge=10, le=86_400, description="a whole number of seconds from 10 to 86400"
    )
    refresh_token_days: int = Field(default=90, ge=1, le=3650, description="a whole number of days from 1 to 3650")
    ticket_seconds: int = Field(default=30, ge=5, le=300, description="a whole number of seconds from 5 to 300")
    database_pool_size: int = Field(
        default=8, ge=1, le=1000, description="a whole number of connections from 1 to 1000"
    )
    cached_games: int = Field(default=2000, ge=1, le=1_000_000, description="a whole number of games from 1 to 1000000")
    commands_per_second: int = Field(
        default=50,
        ge=0,
        le=10_000,
        description="a whole number from 0 to 10000, for each player; 0 sets no limit",
    )
    requests_per_second: int = Field(
        default=10,
        ge=0,
        le=10_000,
        description="a whole number from 0 to 10000, for each player: new tables, tickets and streams; 0 sets no limit",
    )
    address_requests_per_second: int = Field(
        default=10,
        ge=0,
        le=10_000,
        description="a whole number from 0 to 10000, for each client address: new guests and tokens; 0 sets no limit",
    )
    body_limit: int = Field(
        default=16_384, ge=1024, le=1_048_576, description="a whole number of bytes from 1024 to 1048576"
    )
    cors_origins: Annotated[str, AfterValidator(_origins)] = Field(
        default="",
        description="origins like https://table.example, separated by commas, whose pages may call the API; "
        "by default none may",
    )
    postgres_port: Port = Field(
        default=0, description="a whole number from 0 to 65535; 0 keeps the embedded Postgres off the network"
    )
    valkey_port: Port = Field(
        default=0, description="a whole number from 0 to 65535; 0 keeps the embedded Valkey off the network"
    )
    shutdown_seconds: int = Field(default=10, ge=1, le=600, description="a whole number of seconds from 1 to 600")

    @property
    def allowed_origins(self) -> list[str]:
        """The origins whose pages may call the API from a browser."""
        return [origin.strip() for origin in self.cors_origins.split(",") if origin.strip()]

    @property
    def owner_database_url(self) -> SecretStr | None:
        """The address that migrations use."""
        return self.migrate_database_url or self.database_url


SECRET: Final = frozenset({"database_url", "migrate_database_url", "redis_url", "token_keys", "signing_keys"})


def _unknown(environment: Mapping[str, str]) -> list[str]:
    """A misspelt setting would silently be the default: an embedded database in place of the real one, say."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    wrong: list[str] = []
    for name in sorted(environment):
        if not name.upper().startswith(PREFIX) or name.upper().startswith(TEST_PREFIX) or name.upper() in known:
            continue
        near = difflib.get_close_matches(name.upper(), known, n=1)
        wrong.append(f"{name}: there is no such setting" + (f"; did you mean {near[0]}?" if near else ""))
    return wrong


def load_settings() -> Settings:
    """The settings of this process; SettingsRefused names every wrong one."""
    wrong = _unknown(os.environ)
    try:
        settings = Settings()
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            name = str(detail["loc"][0]).removeprefix(PREFIX.lower())
            given = "" if name in SECRET else f", not {detail['input']!r}"
            wrong.append(f"{PREFIX}{name.upper()}: expected {Settings.model_fields[name].description}{given}")
    else:
        if not wrong:
            return settings
    raise SettingsRefused(wrong)
