-- The chain of the anchors has one beginning and no fork.
create unique index anchors_previous on anchors (coalesce(previous, '\x'));
