-- The end of a finished game's chain, signed: stored with its last event. `ended_at` is the time of that event. There
-- is no foreign key to `games`, as with events.
create table seals (
    game uuid primary key,
    head_hash bytea not null check (octet_length(head_hash) = 32),
    ended_at timestamptz not null,
    key text not null,
    signature text not null
);
grant select, insert on seals to bohnanza_app;
