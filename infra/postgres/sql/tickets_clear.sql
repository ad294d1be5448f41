-- $1 now, $2 the most rows. No "for update skip locked": the role may not update, and on Citus the subquery spans
-- shards, where it is not to be had. Two who choose the same rows delete each once, or one of them is turned away.
delete from tickets
where (player, secret_hash) in (
    select player, secret_hash
    from tickets
    where expires_at <= $1
    order by expires_at
    limit $2
)
returning player
