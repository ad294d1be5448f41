-- What every table has of one game, its events and receipts apart. A table without a row gives nulls. Times and days as
-- in inspect_events.
select
    games.game is not null as is_there,
    games.version, games.status, games.ruleset, games.seats, games.visibility, games.host, games.players,
    games.header_hash, games.head_hash, games.deadline is not null as has_deadline,
    greatest(least(games.created_at, '9999-12-31 23:59:59.999999+00'), '0001-01-01 00:00:00+00') as created_at,
    game_secrets.game is not null as has_secrets,
    game_secrets.seed, game_secrets.invite_hash,
    seals.game is not null as is_sealed,
    seals.head_hash as sealed_head, seals.key, seals.signature,
    greatest(least(seals.ended_at, '9999-12-31 23:59:59.999999+00'), '0001-01-01 00:00:00+00') as ended_at,
    anchored_games.game is not null as is_anchored,
    greatest(least(anchored_games.day, '9999-12-30'), '0001-01-02') as day,
    anchored_games.position, anchored_games.proof,
    anchors.day is not null as has_anchor,
    anchors.games, anchors.root, anchors.previous, anchors.key as anchor_key, anchors.signature as anchor_signature,
    (select greatest(least(max(day), '9999-12-30'), '0001-01-02') from anchors) as newest_day
from (select $1::uuid as game) as wanted
left join games using (game)
left join game_secrets using (game)
left join seals using (game)
left join anchored_games using (game)
left join anchors on anchors.day = anchored_games.day
