create function refuse_change() returns trigger
language plpgsql
as $$
begin
    raise exception '% of table "%" is refused: what happened is never changed.', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
end
$$;
