-- The newest games of one status.
select game, version, created_at, status, ruleset, seats, visibility, host, players
from games
where status = $5 and ($6::text is null or ruleset = $6)
  and (visibility = 'public' or players @> array[$1::uuid])
  and (created_at, game) < ($2::timestamptz, $3::uuid)
order by created_at desc, game desc
limit $4
