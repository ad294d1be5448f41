insert into refresh_families (player, family, token_hash, expires_at)
values ($1, $2, $3, $4)
