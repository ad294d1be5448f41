-- $3 the token shown, $4 the next one, $5 now, $6 the next expiry. The row is locked before it is judged:
-- of two callers with the same token the second sees the first one's rotation, which is a reuse.
with family as materialized (
    select player, family, token_hash, expires_at, revoked_at
    from refresh_families
    where player = $1 and family = $2
    for no key update
),
judged as materialized (
    select player,
           family,
           case
               when revoked_at is not null then 'revoked'
               when token_hash <> $3 then 'reused'
               when expires_at <= $5 then 'expired'
               else 'rotated'
           end as outcome
    from family
),
rotated as (
    update refresh_families
    set token_hash = $4,
        expires_at = $6
    from judged
    where refresh_families.player = judged.player
      and refresh_families.family = judged.family
      and judged.outcome = 'rotated'
),
revoked as (
    update refresh_families
    set revoked_at = $5
    from judged
    where refresh_families.player = judged.player
      and refresh_families.family = judged.family
      and judged.outcome = 'reused'
)
select outcome from judged
