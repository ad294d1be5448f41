-- What a player's command, known by its key, has become: the versions of its events.
create table receipts (
    game uuid not null,
    player uuid not null,
    key text not null,
    fingerprint bytea not null,
    first integer not null,
    last integer not null,
    primary key (game, player, key),
    constraint receipts_versions check (first > 0 and last >= first)
);
grant select, insert on receipts to bohnanza_app;
