update players
set name = coalesce($2, name),
    locale = coalesce($3, locale)
where player = $1
returning name, locale, created_at
