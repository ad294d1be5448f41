-- The head of each game. `version` and `head_hash` are those of its last event. No index contains a column
-- that an ordinary append changes, and pages keep room: such an update stays on its page and touches no index.
create table games (
    game uuid primary key,
    version integer not null check (version > 0),
    status text not null check (status in ('open', 'running', 'ended', 'abandoned')),
    ruleset text not null,
    seats smallint not null check (seats > 0),
    visibility text not null check (visibility in ('public', 'private')),
    host uuid not null,
    players uuid[] not null,
    header_hash bytea not null check (octet_length(header_hash) = 32),
    head_hash bytea not null check (octet_length(head_hash) = 32),
    deadline timestamptz,
    created_at timestamptz not null,
    constraint games_players_by_seat check (cardinality(players) = seats)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
grant select, insert, update (version, head_hash, status, players) on games to bohnanza_app;
