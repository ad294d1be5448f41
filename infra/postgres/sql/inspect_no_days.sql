-- The days of anchors, and of games in anchors, that no program can have written: as texts, $1 at most.
select day::text as day
from (
    select day from anchors where day not between '0001-01-02' and '9999-12-30'
    union
    select day from anchored_games where day not between '0001-01-02' and '9999-12-30'
) as found
order by found.day
limit $1
