-- What happened, for ever. `payload` is the event's exact JSON, the bytes that the hash chain covers.
-- There is no foreign key to `games`: the append has locked the head, and a check per row would lock it again.
create table events (
    game uuid not null,
    version integer not null check (version > 0),
    at timestamptz not null,
    seat smallint check (seat >= 0),
    type text not null,
    payload bytea not null,
    hash bytea not null check (octet_length(hash) = 32),
    primary key (game, version)
);
grant select, insert on events to bohnanza_app;
