create trigger seals_refuse_change
before update or delete or truncate on seals
for each statement execute function refuse_change();
alter table seals enable always trigger seals_refuse_change;
