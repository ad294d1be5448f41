select player, name
from players
where player = any($1::uuid[])
