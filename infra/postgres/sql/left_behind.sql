-- Looks at $4 games of the status $5 after ($1, $2). Wanted are those without a seal, and those that ended before $3 and
-- are in no anchor. The last row tells where to go on, wanted or not. Games that were created at no time that a program
-- can have written are passed over; where such a time is that of the end, it is null, and the game is wanted.
with page as materialized (
    select game, created_at, version
    from games
    where status = $5 and (created_at, game) > ($1::timestamptz, $2::uuid)
        and created_at between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00'
    order by created_at, game
    limit $4
),
looked_at as (
    select
        page.game,
        created_at,
        coalesce(
            ended_at,
            (
                select at
                from events
                where events.game = page.game and events.version = page.version and seals.game is null
            )
        ) as ended_at,
        seals.game is not null as is_sealed,
        anchored_games.game is not null as is_anchored
    from page
    left join seals on seals.game = page.game
    left join anchored_games on anchored_games.game = page.game
),
timed as (
    select
        *,
        case
            when ended_at between '1970-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00' then ended_at
        end as readable_end
    from looked_at
)
select
    game,
    created_at,
    readable_end as ended_at,
    is_sealed,
    not is_sealed or (not is_anchored and (readable_end is null or readable_end < $3)) as is_wanted
from timed
where
    not is_sealed
    or (not is_anchored and (readable_end is null or readable_end < $3))
    or game = (select game from page order by created_at desc, game desc limit 1)
order by created_at, game
