-- The anchors before the day $1, all where it is null, newest first. Days as in anchor_newest.
select greatest(least(day, '9999-12-30'), '0001-01-02') as day, games, root, previous, key, signature
from anchors
where $1::date is null or day < $1
order by anchors.day desc
limit $2
