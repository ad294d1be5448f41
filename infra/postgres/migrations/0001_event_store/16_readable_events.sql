-- For people at a prompt; the application's role may not read it. json, not jsonb: it shows the very bytes, whatever
-- characters they escape.
create view readable_events as
select game, version, at, seat, type, convert_from(payload, 'UTF8')::json as event, encode(hash, 'hex') as hash
from events;
