-- One row per login: only the hash of its present refresh token.
create table refresh_families (
    player uuid not null,
    family uuid not null,
    token_hash bytea not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    primary key (player, family)
) with (fillfactor = 80);
grant select, insert, update (token_hash, expires_at, revoked_at) on refresh_families to bohnanza_app;
