-- Nothing when somebody else was faster: a later day is there, or this one, or another that follows the same anchor.
insert into anchors (day, games, root, previous, key, signature)
select $1::date, $2::integer, $3::bytea, $4::bytea, $5::text, $6::text
where not exists (select from anchors where day >= $1)
on conflict do nothing
returning day
