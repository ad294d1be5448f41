-- Row triggers pass on to partitions, statement triggers do not: this one is for the day when there are some.
create trigger events_refuse_row_change
before update or delete on events
for each row execute function refuse_change();
alter table events enable always trigger events_refuse_row_change;
