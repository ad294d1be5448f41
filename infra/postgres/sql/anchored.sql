-- Days as in anchor_newest.
select greatest(least(day, '9999-12-30'), '0001-01-02') as day, games, root, previous, key, signature, position, proof
from anchored_games
join anchors using (day)
where game = $1
