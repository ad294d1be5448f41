"""What the page at /verify has written down a second time is what the program has: events, tables, shuffles."""

import json
from typing import Any

from domain.beans import BEANS, KINDS, payout
from domain.events import EVENT_TYPES, Options, event_type
from domain.rulesets import RULESETS, Ruleset, Table
from tests.domain.fairness import vector
from tests.services.api.verifier_page import Verifier


def test_the_page_shuffles_as_it_is_described(verifier: Verifier) -> None:
    for name in ("shuffle", "rejection"):
        told = vector(name)
        pool = told["pool"]
        if isinstance(pool, dict):
            pool = [bean for bean, count in pool.items() for _ in range(count)]
        given = json.dumps([list(bytes.fromhex(told["seed"])), told["game"], told["nonces"], told["shuffle"], pool])
        deck = f"(([seed, ...rest]) => shuffled(Uint8Array.from(seed), ...rest))({given})"
        assert verifier.evaluate(deck) == told["deck"]
    told = vector("start seat")
    given = json.dumps([list(bytes.fromhex(told["seed"])), told["game"], told["nonces"]])
    seat = f"(([seed, ...rest]) => startSeat(Uint8Array.from(seed), ...rest))({given})"
    assert verifier.evaluate(seat) == told["start_seat"]


def test_the_page_knows_every_event_with_its_fields_in_their_order(verifier: Verifier) -> None:
    there = verifier.evaluate("Object.entries(EVENTS).map(([type, shape]) => [type, Object.keys(shape)])")
    assert there == [[event_type(event), list(event.__struct_encode_fields__)] for event in EVENT_TYPES]  # type: ignore[arg-type]
    assert Options.__struct_encode_fields__ == ("start_when_full", "duel_fields")


def test_the_page_has_the_printed_tables(verifier: Verifier) -> None:
    assert verifier.evaluate("BEANS") == list(BEANS)
    assert verifier.evaluate("CARDS") == {bean: kind.cards for bean, kind in KINDS.items()}
    paid = "BEANS.map((bean) => Array.from({ length: 31 }, (_, count) => pays(bean, count)))"
    assert verifier.evaluate(paid) == [[payout(bean, count) for count in range(31)] for bean in BEANS]


def test_the_page_has_every_edition(verifier: Verifier) -> None:
    for ruleset in RULESETS.values():
        for players in range(1, 9):
            table = ruleset.tables.get(players)
            expected = None if table is None else row(ruleset, table)
            assert edition(verifier, ruleset.name, players, {}) == expected, (ruleset.name, players)
        for fields in (2, 3):
            for players in range(2, 8):
                table = ruleset.duels.get(fields) if players == 2 else None
                expected = None if table is None else row(ruleset, table)
                assert edition(verifier, ruleset.name, players, {"duel_fields": fields}) == expected


def edition(verifier: Verifier, ruleset: str, seats: int, options: dict[str, int]) -> Any:
    created = json.dumps({"ruleset": ruleset, "seats": seats, "options": options})
    return verifier.evaluate(f"editionOf({created})")


def row(ruleset: Ruleset, table: Table) -> dict[str, Any]:
    return {
        "kinds": list(table.deck),
        "hands": list(table.hand_sizes),
        "fields": table.fields,
        "price": table.field_price,
        "ending": table.final_exhaustion,
        "tieBreak": {"hand_size": "hand", "shared": "none", "farthest_clockwise": "clockwise"}[ruleset.tie_break],
        "duel": table.turn == "duel",
    }
