create trigger game_secrets_refuse_row_change
before update or delete on game_secrets
for each row execute function refuse_change();
alter table game_secrets enable always trigger game_secrets_refuse_row_change;
