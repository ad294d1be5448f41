-- The first day from $1 on that there is an anchor of, or a game that is said to be in one. Days that no program can have
-- written are in inspect_no_days.
select least(
    (select min(day) from anchors where day >= $1::date and day between '0001-01-02' and '9999-12-30'),
    (select min(day) from anchored_games where day >= $1::date and day between '0001-01-02' and '9999-12-30')
)
