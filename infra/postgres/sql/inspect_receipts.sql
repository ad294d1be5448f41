select player, octet_length(fingerprint), first, last
from receipts
where game = $1
order by first, last, player
