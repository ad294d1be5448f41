select name, locale, created_at
from players
where player = $1
