-- Times as in inspect_events.
select
    head_hash,
    greatest(least(ended_at, '9999-12-31 23:59:59.999999+00'), '0001-01-01 00:00:00+00') as ended_at,
    key, signature
from seals
where game = $1
