-- `players` is written with every append and nearly always unchanged, which leaves this index alone.
create index games_by_player on games using gin (players) with (fastupdate = off);
