-- $3 now. Of many who take one ticket the first deletes the row; the others wait for him and find none.
delete from tickets
where player = $1 and secret_hash = $2
returning expires_at > $3 as good
