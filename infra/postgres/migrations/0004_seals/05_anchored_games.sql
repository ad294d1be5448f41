-- Where a game's head is in the tree of its anchor, and the hashes that lead from there to the root: 32 bytes each, from
-- the bottom up.
create table anchored_games (
    game uuid primary key,
    day date not null,
    position integer not null check (position >= 0),
    proof bytea not null check (octet_length(proof) % 32 = 0)
);
grant select, insert on anchored_games to bohnanza_app;
