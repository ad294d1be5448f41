create index games_by_status on games (status, created_at desc, game desc);
