select game, version
from games
where game = any($1::uuid[])
