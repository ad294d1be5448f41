create table players (
    player uuid primary key,
    name text not null,
    locale text not null,
    created_at timestamptz not null
);
grant select, insert, update (name, locale) on players to bohnanza_app;
