insert into anchored_games (game, day, position, proof)
select game, $1::date, position, proof
from unnest($2::uuid[], $3::integer[], $4::bytea[]) as proven (game, position, proof)
