-- $3 the expiry, $4 now. What the player let expire goes.
with expired as (
    delete from tickets
    where player = $1 and expires_at <= $4
)
insert into tickets (player, secret_hash, expires_at)
values ($1, $2, $3)
