create index games_newest on games (created_at desc, game desc);
