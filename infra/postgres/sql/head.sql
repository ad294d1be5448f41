select version, created_at, header_hash, head_hash, status, ruleset, seats, visibility, host, players
from games
where game = $1
