-- The first day from $1 on that there is an anchor of, or a game that is said to be in one.
select least(
    (select min(day) from anchors where day >= $1::date),
    (select min(day) from anchored_games where day >= $1::date)
)
