create trigger anchors_refuse_row_change
before update or delete on anchors
for each row execute function refuse_change();
alter table anchors enable always trigger anchors_refuse_row_change;
