-- From `back` before that position on, or before now, if the clock was set back since; without a position before now.
select player, erased_at
from erasures
where erased_at >= least($1::timestamptz, now()) - $2::interval
order by erased_at
