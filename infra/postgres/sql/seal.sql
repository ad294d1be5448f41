select head_hash, ended_at, key, signature
from seals
where game = $1
