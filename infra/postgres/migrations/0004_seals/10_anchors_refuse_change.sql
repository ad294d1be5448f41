create trigger anchors_refuse_change
before update or delete or truncate on anchors
for each statement execute function refuse_change();
alter table anchors enable always trigger anchors_refuse_change;
