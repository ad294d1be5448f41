"""What `bohnanza migrate` says: how the schema is, or in one sentence why that is not known, and never a password."""

import pytest
from click.testing import CliRunner

from services.cli.failure import Failure
from services.cli.migrate import command, migrated


def test_it_says_how_the_schema_is(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOHNANZA_DATABASE_URL", empty_url)

    def run(*options: str) -> tuple[int, str]:
        done = CliRunner().invoke(command, options)
        return done.exit_code, done.output

    assert run("--check") == (1, "The schema is missing; run `bohnanza migrate`.\n")
    assert run() == (0, "The schema is current.\n")
    assert run("--check") == (0, "The schema is current.\n")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:hidden/word@127.0.0.1/db",
        "postgresql://user:hidden[@127.0.0.1/db",
        "postgresql://user:hidden@127.0.0.1:99999/db",
        "postgresql://user:hidden@127.0.0.1:1/db?sslmode=nonsense",
    ],
)
def test_an_address_that_cannot_be_connected_to_is_told_by_the_kind_of_the_error_alone(url: str) -> None:
    with pytest.raises(Failure, match=r"^The database could not be migrated: \w+$") as failed:
        migrated(url)
    assert "hidden" not in str(failed.value)
