create trigger game_secrets_refuse_change
before update or delete or truncate on game_secrets
for each statement execute function refuse_change();
alter table game_secrets enable always trigger game_secrets_refuse_change;
