-- Removes what is kept of a person; whether that person was there. The application may do this and no other deleting of
-- players and receipts, so it runs with the rights of the owner of the tables. What it means by each name was settled
-- when it was created: nothing that a caller has in his search path, or among his temporary tables, takes its place.
-- When it was is told by the clock of the database alone: those who look for what is new go by it.
create function erase_player(erased uuid) returns boolean
language sql
security definer
set search_path = pg_catalog, pg_temp
begin atomic
    insert into erasures (player, erased_at)
    select player, clock_timestamp()
    from players
    where player = erased
    on conflict (player) do nothing;

    delete from refresh_families
    where player = erased;

    delete from tickets
    where player = erased;

    -- By the games, which have an index for it: whoever has sent a command sits there for good, since a seat can be
    -- left only before the first one.
    delete from receipts
    using games
    where games.players @> array[erased]
      and receipts.game = games.game
      and receipts.player = erased;

    with gone as (
        delete from players
        where player = erased
        returning player
    )
    select exists (select from gone);
end;
revoke execute on function erase_player from public;
grant execute on function erase_player to bohnanza_app;
