select fingerprint, first, last
from receipts
where game = $1 and player = $2 and key = $3
