-- Times that no program can have written are brought within what every program can read: they are wrong either way.
select
    version,
    greatest(least(at, '9999-12-31 23:59:59.999999+00'), '0001-01-01 00:00:00+00') as at,
    seat, type, payload, hash
from events
where game = $1 and version >= $2::bigint
order by version
limit $3
