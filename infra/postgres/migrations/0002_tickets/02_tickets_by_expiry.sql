create index tickets_by_expiry on tickets (expires_at);
