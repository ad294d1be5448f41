create index anchored_games_by_day on anchored_games (day, game);
