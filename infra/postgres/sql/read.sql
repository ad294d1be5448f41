select version, at, seat, payload, hash
from events
where game = $1 and version > $2
order by version
limit $3
