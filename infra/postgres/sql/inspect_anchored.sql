-- $3 games, from $2 on, that are said to be in the anchor of the day $1, with the heads that they have now.
select anchored_games.game, position, proof, head_hash
from anchored_games
left join games using (game)
where day = $1 and anchored_games.game >= $2::uuid
order by anchored_games.game
limit $3
