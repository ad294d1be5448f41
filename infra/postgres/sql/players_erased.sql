select player, erased_at
from erasures
where erased_at >= $1
order by erased_at
