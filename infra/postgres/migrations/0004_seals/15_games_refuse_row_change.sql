-- What the first event has said of a game stays. An append names none of these columns, so this does not wake for it.
create trigger games_refuse_row_change
before delete or update of game, ruleset, seats, visibility, host, header_hash, created_at on games
for each row execute function refuse_change();
alter table games enable always trigger games_refuse_row_change;
