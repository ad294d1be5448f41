"""What a person who sets something wrong is told, and what nobody is ever shown."""

from pathlib import Path

import pytest

from infra.settings import Settings, SettingsRefused, load_settings


def wrong_settings() -> list[str]:
    with pytest.raises(SettingsRefused) as refused:
        load_settings()
    return refused.value.wrong


def test_nothing_set_gives_a_server_for_this_machine_only() -> None:
    settings = load_settings()

    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.data_dir == Path.cwd() / "data"
    assert (settings.database_url, settings.redis_url, settings.token_keys) == (None, None, None)
    assert (settings.postgres_port, settings.valkey_port) == (0, 0)


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_PORT", "9000")
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", "postgresql://somebody:word@db.example/games")

    settings = load_settings()

    assert settings.port == 9000
    assert settings.database_url is not None
    assert settings.database_url.get_secret_value() == "postgresql://somebody:word@db.example/games"


def test_an_empty_setting_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", "")
    monkeypatch.setenv("BOHNANZA_PORT", "")

    settings = load_settings()

    assert settings.database_url is None
    assert settings.port == 8000


def test_migrations_use_the_same_database_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", "postgresql://app@db/games")
    first = load_settings().owner_database_url
    monkeypatch.setenv("BOHNANZA_MIGRATE_DATABASE_URL", "postgresql://owner@db/games")
    second = load_settings().owner_database_url

    assert first is not None
    assert first.get_secret_value() == "postgresql://app@db/games"
    assert second is not None
    assert second.get_secret_value() == "postgresql://owner@db/games"


def test_every_wrong_setting_is_named_at_once_with_what_was_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_HOST", "no such host")
    monkeypatch.setenv("BOHNANZA_PORT", "eighty")
    monkeypatch.setenv("BOHNANZA_CACHED_GAMES", "0")

    assert wrong_settings() == [
        "BOHNANZA_HOST: expected an IP address, or localhost, not 'no such host'",
        "BOHNANZA_PORT: expected a whole number from 0 to 65535; 0 takes any free port, not 'eighty'",
        "BOHNANZA_CACHED_GAMES: expected a whole number of games from 1 to 1000000, not '0'",
    ]


def test_a_misspelt_setting_is_wrong_and_the_right_one_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABSE_URL", "postgresql://db/games")

    assert wrong_settings() == ["BOHNANZA_DATABSE_URL: there is no such setting; did you mean BOHNANZA_DATABASE_URL?"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOHNANZA_DATABASE_URL", "mysql://u:hidden-word@db/games"),
        ("BOHNANZA_MIGRATE_DATABASE_URL", "hidden-word"),
        ("BOHNANZA_REDIS_URL", "http://hidden-word"),
        ("BOHNANZA_DATABASE_URL", "postgresql://u:hidden/word@db/games"),
        ("BOHNANZA_DATABASE_URL", "postgresql://u:hidden#word@db/games"),
        ("BOHNANZA_DATABASE_URL", "postgresql://u:hidden[@db/games"),
        ("BOHNANZA_MIGRATE_DATABASE_URL", "postgresql://u:hidden@db:abc/games"),
        ("BOHNANZA_REDIS_URL", "redis://:hidden/word@host:abc/0"),
        ("BOHNANZA_TOKEN_KEYS", "hidden-word"),
        ("BOHNANZA_SIGNING_KEYS", "hidden-word"),
        ("BOHNANZA_SIGNING_KEYS", "public:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("BOHNANZA_TOKEN_KEYS", "a-first-key-that-is-long-enough-for-it,hidden-word"),
    ],
)
def test_a_wrong_secret_is_named_and_not_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)

    (line,) = wrong_settings()

    assert line.startswith(f"{name}: expected ")
    assert "hidden" not in line


def test_no_secret_is_in_a_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", "postgresql://u:hidden@db/games")
    monkeypatch.setenv("BOHNANZA_MIGRATE_DATABASE_URL", "postgresql://u:hidden@db/games")
    monkeypatch.setenv("BOHNANZA_REDIS_URL", "redis://:hidden@cache/0")
    monkeypatch.setenv("BOHNANZA_TOKEN_KEYS", "hidden-hidden-hidden-hidden-hidden-hidden")

    settings = load_settings()

    assert "hidden" not in repr(settings)
    assert "hidden" not in str(settings)


def test_every_setting_says_what_it_expects() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
