-- One row of $1..$14 is an append, one row of $15..$21 is an event of one of them. Returns the games won.
-- Under READ COMMITTED a row that another transaction has moved in the meantime is looked at again once
-- its lock is ours, so of several appends to one version one wins. The locks are taken in the order of
-- the ids: two statements that share games wait for each other, never crosswise.
with wanted as materialized (
    select *
    from unnest(
        $1::uuid[], $2::integer[], $3::integer[], $4::bytea[], $5::text[], $6::text[],
        $7::uuid[], $8::text[], $9::bytea[], $10::integer[], $11::integer[],
        $12::timestamptz[], $13::text[], $14::text[]
    ) as wanted (
        game, expected, version, head_hash, status, players,
        player, key, fingerprint, first, last,
        ended_at, seal_key, signature
    )
),
won as materialized (
    select games.game
    from games
    join wanted on wanted.game = games.game and wanted.expected = games.version
    -- Whoever stored a receipt has moved the version with it: an older snapshot that misses the receipt
    -- misses the version too.
    where not exists (
        select
        from receipts
        where receipts.game = wanted.game and receipts.player = wanted.player and receipts.key = wanted.key
    )
    order by games.game
    for no key update of games
),
moved as (
    update games
    set version = wanted.version,
        head_hash = wanted.head_hash,
        status = wanted.status,
        players = wanted.players::uuid[]
    from wanted
    join won using (game)
    where games.game = wanted.game
),
receipted as (
    insert into receipts (game, player, key, fingerprint, first, last)
    select game, player, key, fingerprint, first, last
    from wanted
    join won using (game)
    where player is not null
),
sealed as (
    insert into seals (game, head_hash, ended_at, key, signature)
    select game, head_hash, ended_at, seal_key, signature
    from wanted
    join won using (game)
    where seal_key is not null
),
stored as (
    insert into events (game, version, at, seat, type, payload, hash)
    select game, version, at, seat, type, payload, hash
    from unnest(
        $15::uuid[], $16::integer[], $17::timestamptz[], $18::smallint[], $19::text[], $20::bytea[], $21::bytea[]
    ) as happened (game, version, at, seat, type, payload, hash)
    join won using (game)
)
select game from won
