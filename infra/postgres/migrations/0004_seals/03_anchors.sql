-- One hash over the heads of all games that ended on a day (UTC), which goes on from that of the day before. A row a
-- day: on Citus a reference table.
create table anchors (
    day date primary key,
    games integer not null check (games > 0),
    root bytea not null check (octet_length(root) = 32),
    previous bytea check (octet_length(previous) = 32),
    key text not null,
    signature text not null
);
grant select, insert on anchors to bohnanza_app;
