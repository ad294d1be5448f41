-- The seal of a game that has ended with that head; the one that is there already, if there is one.
with added as (
    insert into seals (game, head_hash, ended_at, key, signature)
    select game, $2::bytea, $3::timestamptz, $4::text, $5::text
    from games
    where game = $1 and head_hash = $2 and status in ('ended', 'abandoned')
    on conflict (game) do nothing
    returning head_hash, ended_at, key, signature
)
select * from added
union all
select head_hash, ended_at, key, signature
from seals
where game = $1
