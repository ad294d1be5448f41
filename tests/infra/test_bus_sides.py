"""The two sides of the bus at one server, told by hand what a server might say when it is slow or breaks off."""

from infra.redis.publisher import Publisher
from infra.redis.server import Server
from infra.redis.subscriber import Subscriber
from infra.redis.verbs import PLAIN
from infra.redis.wish import Wish
from infra.telemetry import BUS_DROPS, BUS_PUBLISHED
from tests.infra.listening import Ear, value

SERVER = Server("redis://nowhere")
JOIN, LEAVE = (b"SUBSCRIBE", b"red"), (b"UNSUBSCRIBE", b"red")
JOINED, LEFT = [b"subscribe", b"red", 1], [b"unsubscribe", b"red", 0]


def nothing() -> None:
    """No cluster has to be looked at."""


async def test_only_the_answer_to_the_last_subscription_confirms_it() -> None:
    subscriber = Subscriber(SERVER, PLAIN, Ear(), 1, nothing)
    first, second = Wish("red"), Wish("red")
    subscriber.want(b"red", first)
    subscriber._begin()
    assert subscriber._commands() == [JOIN]
    subscriber.drop(b"red")
    subscriber._changed[b"red"] = None
    assert subscriber._commands() == [LEAVE]
    subscriber.want(b"red", second)
    subscriber._begin()
    assert subscriber._commands() == [JOIN]

    subscriber._take(JOINED)
    subscriber._take(LEFT)
    assert not second.confirmed.is_set()
    subscriber._take(JOINED)

    assert second.confirmed.is_set()
    assert not first.confirmed.is_set()


async def test_what_was_sent_and_not_answered_is_sent_once_more_and_then_given_up() -> None:
    publisher = Publisher(SERVER, b"PUBLISH", 1, nothing)
    publisher._queue += [(b"red", b"1"), (b"red", b"2"), (b"red", b"3")]
    both = [(b"PUBLISH", b"red", b"2"), (b"PUBLISH", b"red", b"3")]
    published, broken = value(BUS_PUBLISHED), value(BUS_DROPS.labels("broken"))

    publisher._begin()
    assert publisher._commands() == [(b"PUBLISH", b"red", b"1"), *both]
    assert publisher._commands() == []
    publisher._take(1)
    publisher._lost()
    assert value(BUS_DROPS.labels("broken")) == broken
    publisher._begin()
    assert publisher._commands() == both
    publisher._lost()

    publisher._begin()
    assert publisher._commands() == []
    assert (value(BUS_PUBLISHED), value(BUS_DROPS.labels("broken"))) == (published + 1, broken + 2)
