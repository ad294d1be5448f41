"""Which addresses of servers are good: all that the clients can read, and none that would scatter its password."""

import pytest

from infra.addresses import check_postgres, check_redis, redis_servers

TORN = [
    "postgresql://user:hidden/word@h/db",
    "postgresql://user:12/hidden@h/db",
    "postgresql://user:hidden?word@h/db",
    "postgresql://user:12?hidden@h/db",
    "postgresql://user:hidden#word@h/db",
    "postgresql://user:12#hidden@h/db",
    "postgresql://user:hidden@word@h/db",
    "postgresql://user:hidden[@h/db",
    "postgresql://user:hidden@h:abc/db",
    "postgresql://user:hidden@h:99999/db",
    "postgresql://user:hidden@h:0/db",
    "postgresql://user:hidden@one,two:abc/db",
    "postgresql://user:hidden@/db?host=/run&port=abc",
    "postgresql://user:hidden@h/db?sslmode=nonsense",
    "postgresql://user:hidden@h/db?target_session_attrs=nonsense",
    "postgresql://user:hidden@h/db?word",
    "mysql://user:hidden@h/db",
    "hidden",
]

TORN_REDIS = [
    "redis://:hidden/word@host:abc/0",
    "redis://:12/hidden@host/0",
    "redis://:hidden?word@host/0",
    "redis://:12?hidden@host/0",
    "redis://:hidden#word@host/0",
    "redis://:hidden@word@host/0",
    "redis://:hidden@[host/0",
    "redis://:hidden@host:abc/0",
    "redis://:hidden@host:99999/0",
    "redis://:hidden@host/abc",
    "redis://:hidden@host/0?socket_timeout=abc",
    "redis://:hidden@host/0?nonsense=1",
    "http://:hidden@host/0",
    "redis://:hidden@one:6379,two:6379/0",
    "redis://:hidden@one,two/0?cluster=false",
    "redis://:hidden@one:6379,two:abc/?cluster=true",
    "redis://:hidden@one:6379,/?cluster=true",
    "redis://:hidden@one/?cluster=perhaps",
    "redis://:hidden@one/?cluster=true&cluster=false",
    "redis://:hidden@one/3?cluster=true",
    "unix://:hidden@/run/valkey.sock?cluster=true",
    "hidden",
]


@pytest.mark.parametrize("url", TORN)
def test_a_database_address_that_cannot_be_read_is_refused_without_a_word(url: str) -> None:
    with pytest.raises(ValueError, match=r"^$") as refused:
        check_postgres(url)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize("url", TORN_REDIS)
def test_a_redis_address_that_cannot_be_read_is_refused_without_a_word(url: str) -> None:
    with pytest.raises(ValueError, match=r"^$") as refused:
        check_redis(url)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://h/db",
        "postgres://user:word@h:5432/db",
        "postgresql://user:w%2Fo%23r%40d@h/db",
        "postgresql://user@one:5432,two:5433/db?target_session_attrs=primary",
        "postgresql://user@[::1]:5432/db",
        "postgresql://user:word@/db?host=/run/postgresql",
        "postgresql://user:word@/db?host=%2Frun%2Fa%20folder&port=5433",
        "postgresql:///db?host=one,two&port=5432,5433&user=me%40there",
        "postgresql://h/db?user=me@there&password=word",
        "postgresql://h/db?sslmode=require&application_name=mine",
        "postgresql://h/db?sslmode=verify-full&sslrootcert=/not/there.pem",
    ],
)
def test_every_database_address_that_the_client_can_read_is_good(url: str) -> None:
    check_postgres(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://host",
        "redis://host:6379/0",
        "redis://:w%2Fo%23r%40d@host:6379/1",
        "redis://user:word@[::1]:6379/",
        "rediss://host:6379/0?ssl_cert_reqs=required&socket_timeout=2",
        "unix:///run/a%20folder/valkey.sock",
        "unix://:word@/run/valkey.sock?db=1",
        "redis://host:6379/2?cluster=false",
        "redis://host:6379/?cluster=true",
        "rediss://user:w%2Co%40rd@one:6379,[::1]:6380,three/0?ssl_cert_reqs=required&cluster=true",
    ],
)
def test_every_redis_address_that_the_client_can_read_is_good(url: str) -> None:
    check_redis(url)


def test_an_address_of_a_cluster_names_its_first_contacts_one_by_one() -> None:
    assert redis_servers("rediss://u:p%2Cq@one:1,[::1]:2,three/?cluster=true&ssl_cert_reqs=none") == (
        [
            "rediss://u:p%2Cq@one:1/?ssl_cert_reqs=none",
            "rediss://u:p%2Cq@[::1]:2/?ssl_cert_reqs=none",
            "rediss://u:p%2Cq@three/?ssl_cert_reqs=none",
        ],
        True,
    )


@pytest.mark.parametrize("url", ["redis://:p%2Cq@one:1/2?socket_timeout=3", "unix://:p@/run/a%20b/valkey.sock"])
def test_an_address_of_one_server_stays_as_it_is(url: str) -> None:
    assert redis_servers(url) == ([url], False)
