-- A game with its secrets and its first events ($13..$18).
with created as (
    insert into games (
        game, version, status, ruleset, seats, visibility, host, players, header_hash, head_hash, created_at
    )
    values (
        $1::uuid, $2::integer, $3::text, $4::text, $5::smallint, $6::text, $7::uuid, $8::uuid[],
        $9::bytea, $10::bytea, ($14::timestamptz[])[1]
    )
),
hidden as (
    insert into game_secrets (game, seed, invite_hash)
    values ($1, $11::bytea, $12::bytea)
)
insert into events (game, version, at, seat, type, payload, hash)
select $1, version, at, seat, type, payload, hash
from unnest($13::integer[], $14::timestamptz[], $15::smallint[], $16::text[], $17::bytea[], $18::bytea[])
    as happened (version, at, seat, type, payload, hash)
