-- One row of $1..$11 is an append, one row of $12..$18 is an event of one of them. Returns the games won.
-- Under READ COMMITTED a row that another transaction has moved in the meantime is looked at again once
-- its lock is ours, so of several appends to one version one wins. The locks are taken in the order of
-- the ids: two statements that share games wait for each other, never crosswise.
with wanted as materialized (
    select *
    from unnest(
        $1::uuid[], $2::integer[], $3::integer[], $4::bytea[], $5::text[], $6::text[],
        $7::uuid[], $8::text[], $9::bytea[], $10::integer[], $11::integer[]
    ) as wanted (game, expected, version, head_hash, status, players, player, key, fingerprint, first, last)
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
stored as (
    insert into events (game, version, at, seat, type, payload, hash)
    select game, version, at, seat, type, payload, hash
    from unnest(
        $12::uuid[], $13::integer[], $14::timestamptz[], $15::smallint[], $16::text[], $17::bytea[], $18::bytea[]
    ) as happened (game, version, at, seat, type, payload, hash)
    join won using (game)
)
select game from won
