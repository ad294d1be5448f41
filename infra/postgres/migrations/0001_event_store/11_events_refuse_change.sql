-- Refuses the owner and superusers too, also where a statement would find no row; "always" keeps it awake
-- in sessions that switch triggers off for replication.
create trigger events_refuse_change
before update or delete or truncate on events
for each statement execute function refuse_change();
alter table events enable always trigger events_refuse_change;
