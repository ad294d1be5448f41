-- Times as in inspect_events.
select
    version,
    greatest(least(at, '9999-12-31 23:59:59.999999+00'), '0001-01-01 00:00:00+00') as at,
    seat, payload, hash
from events
where game = $1 and version > $2
order by version
limit $3
