-- The role that the application acts as. It owns nothing and cannot log in.
do $$
begin
    if not exists (select from pg_roles where rolname = 'bohnanza_app') then
        begin
            create role bohnanza_app nologin;
        exception
            -- Roles belong to the whole server: the migration of another database was faster.
            when duplicate_object or unique_violation then null;
        end;
    end if;
    -- A superuser may act as any role; anybody else has to be a member.
    if not (select rolsuper from pg_roles where rolname = current_user) then
        begin
            execute format('grant bohnanza_app to %I', current_user);
        exception
            when insufficient_privilege then
                if not pg_has_role(current_user, 'bohnanza_app', 'member') then
                    raise;
                end if;
        end;
    end if;
exception
    when insufficient_privilege then
        raise exception 'The user "%" may not set up the role "bohnanza_app".', current_user
            using errcode = 'insufficient_privilege',
                  hint = format(
                      'An administrator has to run once: %sGRANT bohnanza_app TO %I;',
                      case
                          when exists (select from pg_roles where rolname = 'bohnanza_app') then ''
                          else 'CREATE ROLE bohnanza_app NOLOGIN; '
                      end,
                      current_user
                  );
end
$$;
