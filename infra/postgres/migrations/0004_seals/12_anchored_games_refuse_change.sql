create trigger anchored_games_refuse_change
before update or delete or truncate on anchored_games
for each statement execute function refuse_change();
alter table anchored_games enable always trigger anchored_games_refuse_change;
