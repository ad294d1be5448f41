create trigger games_refuse_change
before delete or truncate or update of game, ruleset, seats, visibility, host, header_hash, created_at on games
for each statement execute function refuse_change();
alter table games enable always trigger games_refuse_change;
