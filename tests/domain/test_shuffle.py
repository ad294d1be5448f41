"""Commit and reveal: anyone can recompute every shuffle from the seed, and every order is equally likely."""

import hashlib
import struct
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from domain.beans import BEANS, Bean
from domain.rulesets import table_for
from domain.shuffle import _below, commitment, shuffled, start_seat
from tests.domain.play import Game, started

SEED = bytes.fromhex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
GAME = "0196c0de-0000-7000-8000-000000000001"
NONCES = ["", "salt", "grüße", "x" * 64]


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 writes it down, from nothing but SHA-256."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def words(seed: bytes, game: str, nonces: Sequence[str], shuffle: int) -> Iterator[int]:
    """The stream of 32-bit numbers that the promise of domain.shuffle describes."""
    message = game.encode("utf-8")
    for nonce in nonces:
        encoded = nonce.encode("utf-8")
        message += struct.pack(">H", len(encoded)) + encoded
    message += struct.pack(">I", shuffle)
    for counter in range(1_000_000):
        block = hmac_sha256(seed, message + struct.pack(">I", counter))
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def fair(stream: Iterator[int], bound: int) -> int:
    """The next number of the stream below `bound`, no value likelier than another."""
    limit = (2**32 // bound) * bound
    while (word := next(stream)) >= limit:
        pass
    return word % bound


def expected_deck(seed: bytes, game: str, nonces: Sequence[str], shuffle: int, deck: dict[Bean, int]) -> list[Bean]:
    """A second shuffle, written from the description alone."""
    order = [bean for bean in BEANS for _ in range(deck.get(bean, 0))]
    stream = words(seed, game, nonces, shuffle)
    place = len(order) - 1
    while place >= 1:
        other = fair(stream, place + 1)
        kept = order[place]
        order[place] = order[other]
        order[other] = kept
        place -= 1
    return order


def test_hmac_by_hand_is_hmac() -> None:
    """RFC 4231, test case 2."""
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert hmac_sha256(b"Jefe", b"what do ya want for nothing?").hex() == expected


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    """`printf … | sha256sum` of the seed 00 01 02 … 1f."""
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("shuffle", [1, 2, 3])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("nonces", [["", "", "", ""], NONCES])
def test_a_second_implementation_finds_the_same_deck(shuffle: int, players: int, nonces: list[str]) -> None:
    deck = table_for("classic", players).deck
    unordered = [bean for bean, copies in reversed(deck.items()) for _ in range(copies)]
    assert shuffled(SEED, GAME, nonces, shuffle, unordered) == expected_deck(SEED, GAME, nonces, shuffle, deck)


def test_a_known_shuffle() -> None:
    """Worked out by hand from `openssl dgst -sha256 -mac HMAC` of the message that `words` puts together.

    Shuffle 1 begins e2367719 d83e73a2 b46278e2 30eb2b84 4440fa28 09aefaea 341fad27: modulo 8, 7, …, 2 that is
    1 3 0 3 0 1 1, the places swapped with places 7, 6, …, 1. Stream 0 begins 407f437a, which is 2 modulo 4.
    """
    deck = shuffled(SEED, GAME, NONCES, 1, ["red", "blue", "blue", "soy", "soy", "red", "wax", "cocoa"])
    assert deck == ["soy", "blue", "cocoa", "red", "red", "wax", "soy", "blue"]
    assert start_seat(SEED, GAME, NONCES) == 2


@pytest.mark.parametrize(
    ("stream", "bound", "number"),
    [
        ([2**32 - 1, 5], 3, 2),
        ([2**32 - 2], 3, (2**32 - 2) % 3),
        ([2**32 - 1, 2**32 - 4, 2**32 - 5], 7, (2**32 - 5) % 7),
        ([2**32 - 1], 8, 7),
    ],
)
def test_words_that_would_favour_a_number_are_skipped(stream: list[int], bound: int, number: int) -> None:
    """At or above the largest multiple of the bound: 2³² is 1 modulo 3, 4 modulo 7, 0 modulo 8."""
    assert _below(iter(stream), bound) == number
    assert fair(iter(stream), bound) == number


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_the_starting_seat_comes_from_stream_0(seats: int) -> None:
    for number in range(50):
        seed = hashlib.sha256(bytes([seats, number])).digest()
        nonces = [f"nonce-{seat}" for seat in range(seats)]
        assert start_seat(seed, GAME, nonces) == fair(words(seed, GAME, nonces, 0), seats)


def test_the_order_in_which_the_cards_lay_does_not_matter() -> None:
    one = shuffled(SEED, GAME, NONCES, 2, ["red", "blue", "soy", "red"])
    assert one == shuffled(SEED, GAME, NONCES, 2, ["soy", "red", "red", "blue"])


@pytest.mark.parametrize(
    ("game", "nonces", "shuffle"),
    [("another-game", NONCES, 1), (GAME, ["", "salt", "grüße", "y"], 1), (GAME, ["s", "alt", "grüße", "x" * 64], 1)],
)
def test_game_nonces_and_number_all_count(game: str, nonces: list[str], shuffle: int) -> None:
    deck = [bean for bean, copies in table_for("classic", 4).deck.items() for _ in range(copies)]
    assert shuffled(SEED, GAME, NONCES, 1, deck) != shuffled(SEED, game, nonces, shuffle, deck)
    assert shuffled(SEED, GAME, NONCES, 1, deck) != shuffled(SEED, GAME, NONCES, 2, deck)
    assert shuffled(SEED, GAME, NONCES, 1, deck) != shuffled(bytes(32), GAME, NONCES, 1, deck)


def test_the_games_own_deck_is_the_one_that_its_seed_gives() -> None:
    """What a player can check after the end: seed, game id and nonces by seat give the deck of the history."""
    game = started(5)
    deck = expected_deck(game.seed, "a-game", [f"nonce-{seat}" for seat in range(5)], 1, table_for("classic", 5).deck)
    dealt = [bean for step in range(5) for bean in game.state.seats[(game.state.start_seat + step) % 5].hand.values()]
    assert [*dealt, *reversed(game.state.deck)] == deck
    assert game.state.commitment == hashlib.sha256(game.seed).hexdigest()
    assert Game(5).state.commitment == game.state.commitment


def test_every_kind_is_as_likely_in_every_place() -> None:
    """Chi-square over 100,000 shuffles (pitfall D18). The seeds are fixed, so the figure never changes; for fair
    shuffles it lies within six standard deviations of its mean but once in hundreds of millions of seed lists."""
    shuffles = 100_000
    cards: list[Bean] = ["wax", "blue", "blue", "chili", "chili", "chili", "green", "soy", "red", "red"]
    kinds = Counter(cards)
    places = [Counter[Bean]() for _ in cards]
    pairs = Counter[tuple[Bean, Bean]]()
    for number in range(shuffles):
        deck = shuffled(hashlib.sha256(number.to_bytes(4, "big")).digest(), "g", ["", "", ""], 1, cards)
        for place, bean in zip(places, deck, strict=True):
            place[bean] += 1
        pairs[deck[0], deck[1]] += 1
    square = sum(
        (place[bean] - shuffles * copies / len(cards)) ** 2 / (shuffles * copies / len(cards))
        for place in places
        for bean, copies in kinds.items()
    )
    freedom = (len(cards) - 1) * (len(kinds) - 1)
    assert square < freedom + 6 * (2 * freedom) ** 0.5
    # The two top cards together: what one is says nothing about the other.
    expected = {
        (one, two): shuffles * kinds[one] * (kinds[two] - (one == two)) / (len(cards) * (len(cards) - 1))
        for one in kinds
        for two in kinds
    }
    square = sum((pairs[pair] - mean) ** 2 / mean for pair, mean in expected.items() if mean)
    freedom = sum(mean > 0 for mean in expected.values()) - 1
    assert square < freedom + 6 * (2 * freedom) ** 0.5


def test_every_card_is_as_likely_in_every_place_of_a_whole_deck() -> None:
    """The same for the deck of four players, at its top, in its middle and at its bottom."""
    deck = [bean for bean, copies in table_for("classic", 4).deck.items() for _ in range(copies)]
    kinds = Counter(deck)
    shuffles = 2_000
    decks = [shuffled(SEED, f"game {number}", ["", "", "", ""], 1, deck) for number in range(shuffles)]
    for place in (0, 1, 64, 128, 129):
        seen = Counter(order[place] for order in decks)
        expected = {bean: shuffles * copies / len(deck) for bean, copies in kinds.items()}
        square = sum((seen[bean] - mean) ** 2 / mean for bean, mean in expected.items())
        freedom = len(kinds) - 1
        assert square < freedom + 8 * (2 * freedom) ** 0.5
