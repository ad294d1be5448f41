-- For people at a prompt; the application's role may not read it.
create view readable_events as
select game, version, at, seat, type, convert_from(payload, 'UTF8')::jsonb as event, encode(hash, 'hex') as hash
from events;
