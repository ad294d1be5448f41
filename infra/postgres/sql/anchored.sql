select day, games, root, previous, key, signature, position, proof
from anchored_games
join anchors using (day)
where game = $1
