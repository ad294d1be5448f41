create index seals_by_end on seals (ended_at, game);
