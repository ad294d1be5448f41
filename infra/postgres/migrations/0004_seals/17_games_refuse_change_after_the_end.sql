-- The head of a finished game stays, whoever moves it. For a game that goes on this costs a look at its status.
create trigger games_refuse_change_after_the_end
before update on games
for each row when (old.status in ('ended', 'abandoned')) execute function refuse_change();
alter table games enable always trigger games_refuse_change_after_the_end;
