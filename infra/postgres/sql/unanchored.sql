-- Looks at $4 seals after ($1, $2) of games that ended before $3. The last row tells where to go on, whether that game
-- waits for an anchor or not. Ends at times that no program can have written are passed over; left_behind names them.
with page as materialized (
    select game, ended_at, head_hash
    from seals
    where (ended_at, game) > ($1::timestamptz, $2::uuid) and ended_at < $3
        and ended_at >= '0001-01-01 00:00:00+00'
    order by ended_at, game
    limit $4
)
select game, ended_at, head_hash, anchored_games.game is null as waits
from page
left join anchored_games using (game)
where anchored_games.game is null or game = (select game from page order by ended_at desc, game desc limit 1)
order by ended_at, game
