-- Without this the role would see nothing in a schema other than "public".
do $$
begin
    execute format('grant usage on schema %I to bohnanza_app', current_schema());
end
$$;
