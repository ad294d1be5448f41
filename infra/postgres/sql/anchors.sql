-- The anchors before the day $1, newest first.
select day, games, root, previous, key, signature
from anchors
where day < $1
order by day desc
limit $2
