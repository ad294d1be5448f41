-- What opens one stream, once. Only the hash of its secret is here; who takes a ticket deletes its row.
create table tickets (
    player uuid not null,
    secret_hash bytea not null check (octet_length(secret_hash) = 32),
    expires_at timestamptz not null,
    primary key (player, secret_hash)
);
grant select, insert, delete on tickets to bohnanza_app;
