select seed, invite_hash
from game_secrets
where game = $1
