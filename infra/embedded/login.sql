-- The login of the API: it may do what the role `bohnanza_app` may, and nothing else, also if it once could.
do $$
begin
    if not exists (select from pg_roles where rolname = 'bohnanza_api') then
        create role bohnanza_api;
    end if;
    alter role bohnanza_api login nosuperuser nocreatedb nocreaterole noreplication nobypassrls inherit;
    execute format('alter role bohnanza_api password %L', current_setting('bohnanza.password'));
    grant bohnanza_app to bohnanza_api;
end
$$;
