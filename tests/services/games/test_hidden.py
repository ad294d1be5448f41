"""Pitfalls D1, D3, D4 and D9: whole games in which every answer to every viewer, after every command, is
searched for what he may not know; and histories that differ in nothing else, which must look the same to him."""

import hashlib
import random
from collections.abc import AsyncIterator

import msgspec
import pytest

from domain.beans import BEANS, Bean
from domain.cards import Card
from domain.events import (
    CardsDealt,
    CardsDrawn,
    CardsRevealed,
    DeckShuffled,
    Event,
    GameEnded,
    PlayerJoined,
    decode_event,
)
from domain.history import Record, first_hash, header, records
from domain.shuffle import shuffled
from infra.event_store import Append, EventStore, NewGame, Summary
from infra.memory.event_store import MemoryEventStore
from services.games.errors import GameError
from services.games.games import Games
from tests.services.games.knowledge import Knowledge
from tests.services.games.tables import Move, Table, World, new_id, next_move, running_table, wire

SPECTATOR = new_id()


async def playing(
    world: World, games: Games, table: Table, chance: random.Random
) -> AsyncIterator[tuple[Move | None, Knowledge]]:
    """A game from its start to its end, with what may be known after each move; first before any."""
    secrets = await world.store.secrets(table.game)
    assert secrets is not None
    knowledge = Knowledge(secrets.seed)
    knowledge.learn(await world.store.read(table.game))
    yield None, knowledge
    while (move := await next_move(table, [games], chance)) is not None:
        knowledge.learn(await world.store.read(table.game, knowledge.version))
        yield move, knowledge


def viewers(table: Table) -> list[tuple[int | None, str]]:
    return [*enumerate(table.players), (None, SPECTATOR)]


async def assert_nothing_hidden(games: Games, table: Table, knowledge: Knowledge, after: int) -> None:
    """The view, the events since that version, and the actions, for everybody who may ask."""
    for viewer, player in viewers(table):
        seen = await games.view(table.game, player)
        knowledge.check(seen, viewer)
        assert seen.version == knowledge.version
        if viewer is not None:
            own = seen.seats[viewer].hand
            assert own is not None
            assert all(card.bean is not None for card in own)
            knowledge.check(await games.actions(table.game, player), viewer)
        page = await games.events(table.game, player, after, 1000)
        knowledge.check(page, viewer)
        assert [item.version for item in page.events] == [*range(after + 1, knowledge.version + 1)]


@pytest.mark.parametrize("seats", [3, 5, 7])
async def test_no_answer_of_a_whole_game_tells_anybody_what_is_hidden(memory_world: World, seats: int) -> None:
    games = memory_world.process()
    table = await running_table(games, seats, visibility="public", nonce="n")
    after = 0
    hidden = 0
    async for move, knowledge in playing(memory_world, games, table, random.Random(seats)):
        if move is not None:
            knowledge.check(move.answer, table.players.index(move.player))
        await assert_nothing_hidden(games, table, knowledge, after)
        hidden = max(hidden, len(knowledge.hidden_from(None)))
        after = knowledge.version
    assert hidden > 20


async def test_nothing_hidden_is_told_over_any_store_on_any_page_or_after_a_restart(world: World) -> None:
    games = world.process()
    table = await running_table(games, 3)
    chance = random.Random(3)
    number = 0
    async for _, knowledge in playing(world, games, table, chance):
        number += 1
        if number % 100 != 1 or knowledge.has_ended:
            continue
        await assert_nothing_hidden(world.process(), table, knowledge, 0)
        for viewer, player in viewers(table):
            pages = []
            after: int | None = 0
            while after is not None:
                page = await games.events(table.game, player, after, 7)
                assert len(page.events) <= 7
                knowledge.check(page, viewer)
                pages += page.events
                after = page.next
            assert pages == (await games.events(table.game, player, 0, 10_000)).events


async def test_what_a_refusal_says_is_nothing_that_is_hidden(memory_world: World) -> None:
    games = memory_world.process()
    table = await running_table(games, 3)
    chance = random.Random(30)
    asked = 0
    async for move, knowledge in playing(memory_world, games, table, chance):
        if move is None or knowledge.has_ended:
            continue
        other = chance.choice([player for player in table.players if player != move.player])
        with pytest.raises(GameError) as refusal:
            await games.command(table.game, other, new_id(), move.command, knowledge.version - 1)
        assert not [bean for bean in BEANS if bean in str(refusal.value.detail)]
        asked += 1
    assert asked > 100


async def test_after_the_end_everybody_sees_everything_and_the_seed_opens_the_commitment(world: World) -> None:
    games = world.process()
    table = await running_table(games, 3, nonce="of seat ")
    has_ended = False
    async for _, knowledge in playing(world, games, table, random.Random(40)):
        has_ended = knowledge.has_ended
    assert has_ended
    history = await world.history(table.game)
    for _, player in viewers(table):
        for process in (games, world.process()):
            page = await process.events(table.game, player, 0, 10_000)
            assert [item.event for item in page.events] == history
    ended = history[-1]
    assert isinstance(ended, GameEnded)
    seed = bytes.fromhex(ended.seed)
    seen = await games.view(table.game, SPECTATOR)
    assert seen.result is not None
    assert seen.result.seed == ended.seed
    assert hashlib.sha256(seed).hexdigest() == seen.commitment
    nonces = [event.nonce for event in history if isinstance(event, PlayerJoined)]
    assert nonces == ["of seat ", "of seat 1", "of seat 2"]
    deck = next(event for event in history if isinstance(event, DeckShuffled))
    assert deck.beans == shuffled(seed, table.game, nonces, 1, deck.beans or [])


async def test_seeds_are_never_the_same_and_never_told_before_the_end(world: World) -> None:
    games = world.process()
    seeds = set()
    for _ in range(20):
        table = await running_table(games, 3)
        secrets = await world.store.secrets(table.game)
        assert secrets is not None
        assert len(secrets.seed) == 32
        seeds.add(secrets.seed)
        for record in await world.store.read(table.game):
            assert secrets.seed.hex().encode() not in record.payload
    assert len(seeds) == 20


def with_other_secrets(history: list[Event], hidden: set[int], chance: random.Random) -> list[Event]:
    """The same game as anybody sees it who does not know those cards, with all that he does not know changed: their
    kinds, in hands as in decks, and the kinds of all that nobody has drawn."""
    others: dict[int, Bean] = {}
    decks: list[list[Bean]] = []
    left: list[int] = []
    changed: list[Event] = []

    def other_than(bean: Bean | None) -> Bean:
        return chance.choice([kind for kind in BEANS if kind != bean])

    for event in history:
        match event:
            case DeckShuffled(beans=list() as beans):
                decks.append(list(beans))
                left.append(0)
                changed.append(msgspec.structs.replace(event, beans=decks[-1]))
            case CardsDealt() | CardsDrawn() | CardsRevealed():
                for card in event.cards:
                    if card.card in hidden:
                        others[card.card] = decks[-1][left[-1]] = other_than(card.bean)
                    left[-1] += 1
                cards = [Card(card.card, others.get(card.card, card.bean)) for card in event.cards]
                changed.append(msgspec.structs.replace(event, cards=cards))
            case _:
                changed.append(event)
    # What lies under the last card that was drawn nobody has ever seen.
    for deck, drawn in zip(decks, left, strict=True):
        deck[drawn:] = [other_than(bean) for bean in deck[drawn:]]
    assert hidden <= others.keys()
    assert [decode_event(msgspec.json.encode(event)) for event in changed] == changed
    return changed


async def stored_as(game: str, originals: list[Record], history: list[Event], summary: Summary) -> EventStore:
    """A store of its own with that history, at the same times, with another seed."""
    end = first_hash(header(game, "classic", 1))
    made: list[Record] = []
    for record, event in zip(originals, history, strict=True):
        made += records(end, record.version - 1, record.at, record.seat, [event])
        end = made[-1].hash
    store = MemoryEventStore()
    start = first_hash(header(game, "classic", 1))
    await store.create(NewGame(Append(game, 0, made, summary, None), start, bytes(32), None))
    return store


@pytest.mark.parametrize("seats", [3, 5])
async def test_two_games_that_differ_in_what_a_viewer_may_not_know_look_the_same_to_him(
    memory_world: World, seats: int
) -> None:
    games = memory_world.process()
    table = await running_table(games, seats)
    chance = random.Random(90 + seats)
    summary = Summary("running", "classic", seats, "public", table.players[0], [*table.players])
    number = 0
    async for _, knowledge in playing(memory_world, games, table, random.Random(9)):
        number += 1
        if number % 20 != 1 or knowledge.has_ended:
            continue
        originals = await memory_world.store.read(table.game)
        history = [decode_event(record.payload) for record in originals]
        for viewer, player in viewers(table):
            changed = with_other_secrets(history, knowledge.hidden_from(viewer), chance)
            assert changed != history
            twin = memory_world.process(store=await stored_as(table.game, originals, changed, summary))
            for one, other in (
                (await games.view(table.game, player), await twin.view(table.game, player)),
                (
                    await games.events(table.game, player, 0, 10_000),
                    await twin.events(table.game, player, 0, 10_000),
                ),
            ):
                assert wire(one) == wire(other)
            if viewer is not None:
                assert wire(await games.actions(table.game, player)) == wire(await twin.actions(table.game, player))
