insert into players (player, name, locale, created_at)
values ($1, $2, $3, $4)
