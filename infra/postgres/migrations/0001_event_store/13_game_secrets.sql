-- Apart from `games`, so that no list and no head can carry a secret by mistake.
create table game_secrets (
    game uuid primary key,
    seed bytea not null,
    invite_hash bytea
);
grant select, insert on game_secrets to bohnanza_app;
