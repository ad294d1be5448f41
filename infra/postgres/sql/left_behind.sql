-- Looks at $4 games of the status $5 after ($1, $2). Wanted are those without a seal, and those that ended before $3 and
-- are in no anchor. The last row tells where to go on, wanted or not.
with page as materialized (
    select game, created_at, version
    from games
    where status = $5 and (created_at, game) > ($1::timestamptz, $2::uuid)
    order by created_at, game
    limit $4
),
looked_at as (
    select
        game,
        created_at,
        version,
        ended_at,
        seals.game is not null as is_sealed,
        seals.game is null or (ended_at < $3 and anchored_games.game is null) as is_wanted
    from page
    left join seals using (game)
    left join anchored_games using (game)
)
select
    game,
    created_at,
    -- A time that no program can have written may be one that this one cannot read.
    case
        when is_sealed then greatest(ended_at, '1970-01-01 00:00:00+00')
        else (select at from events where events.game = looked_at.game and events.version = looked_at.version)
    end as ended_at,
    is_sealed,
    is_wanted
from looked_at
where is_wanted or game = (select game from page order by created_at desc, game desc limit 1)
order by created_at, game
