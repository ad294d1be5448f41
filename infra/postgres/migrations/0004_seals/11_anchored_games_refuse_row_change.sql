create trigger anchored_games_refuse_row_change
before update or delete on anchored_games
for each row execute function refuse_change();
alter table anchored_games enable always trigger anchored_games_refuse_row_change;
