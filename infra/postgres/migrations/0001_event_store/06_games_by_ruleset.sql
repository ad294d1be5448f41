create index games_by_ruleset on games (ruleset, created_at desc, game desc);
