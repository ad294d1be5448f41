"""What the program counts about itself. Nothing is dropped, retried or refused without a count here.

Every answer that is no success adds one to PROBLEMS, whatever it came from: a refusal by the rules (also in
REFUSALS, once per command), a malformed request, a 500. Its codes are those of `services/api/catalogue.py`.

A label holds a code from a closed list and never an id, a card or a text.
"""

from prometheus_client import Counter, Gauge, Histogram

APPEND_CONFLICTS = Counter(
    "bohnanza_append_conflicts", "Appends that stored nothing: the head had moved or the key was used."
)
APPEND_RETRIES = Counter("bohnanza_append_retries", "Commands that were decided again after a lost race.")
APPEND_FALLBACKS = Counter(
    "bohnanza_append_fallbacks", "Statements that the database refused whole and that were sent again one by one."
)
APPEND_BATCH = Histogram(
    "bohnanza_append_batch", "Appends that travelled in one statement.", buckets=(1, 2, 4, 8, 16, 32, 64)
)
APPEND_SECONDS = Histogram(
    "bohnanza_append_seconds",
    "Time of one append statement.",
    buckets=(0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 2, 4, 8),
)
REPLAYED_ANSWERS = Counter("bohnanza_replayed_answers", "Commands answered from the receipt of an earlier copy.")
PROBLEMS = Counter("bohnanza_problems", "Answers that are no success, over HTTP and over WebSockets.", ["code"])
REFUSALS = Counter("bohnanza_refusals", "Commands that the rules refused.", ["code"])
STORE_UNAVAILABLE = Counter("bohnanza_store_unavailable", "Database calls that found no usable database.", ["reason"])
BUS_PUBLISHED = Counter("bohnanza_bus_published", "Messages to other processes that were passed on.")
BUS_DROPS = Counter("bohnanza_bus_drops", "Messages to other processes that were, or may have been, lost.", ["reason"])
"""full: too many waited. away: nobody there to take them. broken: sent, and not known whether they arrived. refused:
the server would not."""
BUS_HEARD = Counter("bohnanza_bus_heard", "Messages that this process heard.")
BUS_RECONNECTS = Counter("bohnanza_bus_reconnects", "Connections that were made again after a break.", ["side"])
BUS_UNCONFIRMED = Counter("bohnanza_bus_unconfirmed", "Subscriptions that were not confirmed in time.")
PRESENCE_FAILURES = Counter("bohnanza_presence_failures", "Questions about who is there without an answer.", ["reason"])

LIVE_ROOMS = Gauge("bohnanza_live_rooms", "Games that are watched through this process.")
LIVE_WATCHERS = Gauge("bohnanza_live_watchers", "Open streams of this process.")
LIVE_FRAMES = Counter("bohnanza_live_frames", "Frames handed to streams.", ["type"])
LIVE_DUPLICATES = Counter("bohnanza_live_duplicates", "Batches of events that had been handed on before.")
LIVE_GAPS = Counter("bohnanza_live_gaps", "Batches before which something was missing, which was read from the store.")
LIVE_REPAIRS = Counter("bohnanza_live_repairs", "Parts of histories that the bus had lost and the store gave.")
LIVE_LAGGING = Counter("bohnanza_live_lagging", "Times that a client was too slow and had to begin anew with a view.")
LIVE_STORE_FAILURES = Counter("bohnanza_live_store_failures", "Questions of the hub that the store did not answer.")
LIVE_RESTARTS = Counter("bohnanza_live_restarts", "Games whose history had become shorter: their watchers began anew.")
LIVE_UNREADABLE = Counter("bohnanza_live_unreadable", "Times that a watched history could not be read by this program.")
LIVE_FAULTS = Counter("bohnanza_live_faults", "Tasks of the hub that ended by a fault of the program.")
LIVE_NONSENSE = Counter("bohnanza_live_nonsense", "Messages on the bus that make no sense here.")
LIVE_COMMANDS = Counter("bohnanza_live_commands", "Messages that came over WebSockets.")
LIVE_CUT_OFF = Counter("bohnanza_live_cut_off", "Streams that were ended because their client stopped reading.")

ANCHORS = Counter("bohnanza_anchors", "Days that this process has anchored.")
ANCHORED_GAMES = Counter("bohnanza_anchored_games", "Games in those anchors.")
ANCHOR_RACES = Counter("bohnanza_anchor_races", "Days that another process had anchored first.")
ANCHOR_RETRIES = Counter("bohnanza_anchor_retries", "Times that the anchoring had to be tried again.", ["reason"])
"""unavailable: no usable database. refused: the database would not. clock: the time here is not that of the database.
The latter two somebody has to look at."""
ANCHORS_AHEAD = Counter("bohnanza_anchors_ahead", "Times that the newest anchor was of a day that is not over yet.")
ANCHOR_FAULTS = Counter("bohnanza_anchor_faults", "Times that the anchoring stopped by a fault of the program.")
LATE_SEALS = Counter("bohnanza_late_seals", "Games that had ended without a seal and were given one.")
UNSEALABLE_GAMES = Counter("bohnanza_unsealable_games", "Times that a finished game without a seal was given none.")

ERASURES = Counter("bohnanza_erasures", "Players of whose erasure this process has learnt, by itself or from others.")
ERASURE_FAILURES = Counter(
    "bohnanza_erasure_failures", "Looks for the erasures of others, and for what came after one, that had no success."
)
ERASURE_FAULTS = Counter("bohnanza_erasure_faults", "Tasks of the erasing that ended by a fault of the program.")
