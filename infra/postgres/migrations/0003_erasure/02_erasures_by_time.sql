create index erasures_by_time on erasures (erased_at);
