-- Who was erased, and when: an id that is nobody's any more. Processes look here for whose access tokens they have to
-- refuse; an operator who puts an older back-up in place finds here whom to erase once more.
create table erasures (
    player uuid primary key,
    erased_at timestamptz not null
);
grant select on erasures to bohnanza_app;
