-- The newest games in which one player sits.
select game, version, created_at, status, ruleset, seats, visibility, host, players
from games
where players @> array[$5::uuid] and ($6::text is null or status = $6) and ($7::text is null or ruleset = $7)
  and (visibility = 'public' or players @> array[$1::uuid])
  and (created_at, game) < ($2::timestamptz, $3::uuid)
order by created_at desc, game desc
limit $4
