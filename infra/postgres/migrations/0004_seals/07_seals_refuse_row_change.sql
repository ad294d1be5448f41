create trigger seals_refuse_row_change
before update or delete on seals
for each row execute function refuse_change();
alter table seals enable always trigger seals_refuse_row_change;
