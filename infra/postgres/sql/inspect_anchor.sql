select day, games, root, previous, key, signature
from anchors
where day = $1
