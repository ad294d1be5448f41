-- Held until the end of the transaction. A lock that others hold for long ends the attempt, not the service:
-- a waiting change of a table would make every later query wait behind it.
with limited as materialized (select set_config('lock_timeout', '30s', true))
select pg_advisory_xact_lock(hashtextextended('bohnanza migrations', 0)) from limited
