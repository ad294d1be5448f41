select day, games, root, previous, key, signature
from anchors
order by day desc
limit 1
