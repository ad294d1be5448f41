-- The next $2 ids, from $1 on, that any table has rows of. Where a game has many rows, the index is asked for one after
-- the other.
with recursive
in_events (game) as (
    (select game from events where game >= $1::uuid order by game limit 1)
    union all
    select (select next.game from events as next where next.game > in_events.game order by next.game limit 1)
    from in_events
    where game is not null
),
in_receipts (game) as (
    (select game from receipts where game >= $1::uuid order by game limit 1)
    union all
    select (select next.game from receipts as next where next.game > in_receipts.game order by next.game limit 1)
    from in_receipts
    where game is not null
)
select game
from (
    (select game from games where game >= $1::uuid order by game limit $2)
    union
    (select game from game_secrets where game >= $1::uuid order by game limit $2)
    union
    (select game from seals where game >= $1::uuid order by game limit $2)
    union
    (select game from anchored_games where game >= $1::uuid order by game limit $2)
    union
    (select game from in_events where game is not null limit $2)
    union
    (select game from in_receipts where game is not null limit $2)
) as found
order by game
limit $2
