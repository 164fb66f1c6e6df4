"""Every number that bounds something, with its unit. A test asks each at n-1, n and n+1.

What an operator may want to change is a setting (config.yaml); what stands here is the contract.
"""

from typing import Final

# --- text, in characters -------------------------------------------------------------------------
ID_CHARS_MAX: Final = 128
QUERY_CHARS_MAX: Final = 10_000
ANSWER_CHARS_MAX: Final = 50_000
SUMMARY_CHARS_MAX: Final = 2_000
CUMULATIVE_SUMMARY_CHARS_MAX: Final = 4_000
NAME_CHARS_MAX: Final = 128
ITEM_ID_CHARS_MAX: Final = 200
"""Of a review: a memory's id with what is asked of it."""
USER_CURSOR_CHARS_MAX: Final = 160
"""A user's id with a moment in ms."""
EXPORT_CURSOR_CHARS_MAX: Final = 165
"""A user's id with a memory's."""
RECORD_TEXT_CHARS_MAX: Final = 50_000
"""Of each text of an imported record: as long as a message may be."""
RECORD_NAME_CHARS_MAX: Final = 500
FACT_CHARS_MAX: Final = 500
PREDICATE_CHARS_MAX: Final = 64
QUOTE_CHARS_MAX: Final = 2_000
INTENT_CHARS_MAX: Final = 500
TOPIC_CHARS_MAX: Final = 64
CREATED_TEXT_CHARS_MAX: Final = 2_000
"""Of a created memory whose words are put right."""
ATTRIBUTE_KEY_CHARS_MAX: Final = 64
ATTRIBUTE_CHARS_MAX: Final = 500
DESCRIPTION_CHARS_MAX: Final = 500
REASON_CHARS_MAX: Final = 2_000
IDEMPOTENCY_KEY_CHARS_MAX: Final = 128
ENTITY_KEY_CHARS_MAX: Final = 128

# --- counts --------------------------------------------------------------------------------------
MESSAGES_PER_WRITE_MAX: Final = 500
RECENT_TURNS_MAX: Final = 1_000
ENTITIES_PER_UPDATE_MAX: Final = 200
FACTS_PER_KIND_MAX: Final = 200
TRIPLES_PER_UPDATE_MAX: Final = 200
FACTS_PER_VERDICT_MAX: Final = 100
PREFERENCES_MAX: Final = 200
PROFILE_FACTS_PER_KIND_MAX: Final = 1_000
"""Told of one user, in all; what takes some off is never refused."""
PROFILE_PREFERENCES_MAX: Final = 1_000
SESSION_STATES_MAX: Final = 2_000
"""Entities and agents' slots of one session, in all."""
FINALIZATIONS_PER_PAGE_MAX: Final = 1_000
MEMORIES_PER_SEARCH_MAX: Final = 200
ATTRIBUTES_MAX: Final = 16
"""Of one created memory."""
LINKS_PER_MEMORY_MAX: Final = 64
TOOL_RESULTS_MAX: Final = 16
"""Of one turn."""
MARKED_MAX: Final = 50
"""Memories of one MarkUsed."""
LINKS_PER_USER_MAX: Final = 20_000
CREATED_PER_USER_MAX: Final = 20_000
EXPAND_DEPTH_MAX: Final = 3
"""Links from what a search finds to what it follows."""
HOPS_MAX: Final = 6
PATHS_MAX: Final = 5
RELATIONS_MAX: Final = 32
EDGES_PER_PAGE_MAX: Final = 2_000
USERS_EDGES_MAX: Final = 5_000
"""Edges of a page of GetUserGraph."""
GRAPH_RECORDS_MAX: Final = 20_000
"""Memories that a graph is made of; of more, the first by their ids, and the answer says so."""
DECAY_DAYS_MAX: Final = 3_650
SETTLE_WAIT_MS_MAX: Final = 60_000
LABELS_COMPARED_MAX: Final = 1_000
"""Labels of a user that are compared by meaning; the latest. By their writing all are."""
SUGGESTIONS_PER_USER_MAX: Final = 200
"""Pairs of labels of which somebody may say that they are one."""
WALKED_MAX: Final = 100
"""Memories that one step of a walk goes on from; the firmest."""
LINKS_WALKED_MAX: Final = 1_000
"""Links that one step of a walk looks at."""
REVIEWS_PER_PAGE_MAX: Final = 200
BATCH_MEMORIES_MAX: Final = 10_000
JOBS_PER_PAGE_MAX: Final = 200
CONVERSATIONS_PER_PAGE_MAX: Final = 200
USERS_PER_PAGE_MAX: Final = 200
AUDIT_PER_PAGE_MAX: Final = 500
STATS_DAYS_MAX: Final = 90
TIMELINE_PER_PAGE_MAX: Final = 500
MEMUNITS_PER_PAGE_MAX: Final = 100
MEMORIES_PER_PAGE_MAX: Final = 1_000
RECORDS_PER_PAGE_MAX: Final = 1_000
"""Of an export, and of one ImportMemories."""
RECORD_SEQS_MAX: Final = 100_000
"""Messages that one record names."""
MODEL_CONTEXT_WINDOW_TOKENS_MAX: Final = 100_000_000
REVISION_MAX: Final = 2**53 - 1

# --- answers -------------------------------------------------------------------------------------
EXPORT_PAGE_CHARS_MAX: Final = 2_000_000
"""Of the texts of an export's page, about: with longer ones it has fewer records."""
HISTORY_PAGE_BYTES_MAX: Final = 1024 * 1024
"""Of journal entries in one answer's `full_history`, in UTF-8; one message is given however long it is."""

# --- what is said but not yet in memory (docs/decisions/0013) -------------------------------------
SAID_CONVERSATIONS_MAX: Final = 64
"""Of a user; safety facts are read of those whose sessions began last."""
SAID_BYTES_MAX: Final = 65_536
"""Of one conversation's safety facts that are not in memory yet; what would come after that is left out, and told."""
TAIL_CONVERSATIONS_MAX: Final = 8
"""Of a user; those whose sessions began last."""
TAIL_MESSAGES_MAX: Final = 100
"""Of one conversation; the newest."""
TAIL_BYTES_MAX: Final = 64 * 1024
"""Of one conversation's journal entries; one that does not fit is left out, older ones that do are not."""

# --- indexes of users, kept in memory by a process that searches SQLite ------------------------------
INDEXES_KEPT_BYTES_MAX: Final = 64 * 1024 * 1024
"""About; some 250 users of 60 memories with vectors. One user takes a fourth of it at most."""
LARGE_INDEXES_KEPT_BYTES_MAX: Final = 192 * 1024 * 1024
"""About, of users with more than 4,000 memories; 20,000 with vectors take some 60 MiB."""

# --- copies of profiles in the session tier --------------------------------------------------------
PROFILE_DROPPED_S: Final = 5.0
"""How long after a drop no copy is stored of what was read before it."""

# --- structured values, in characters of their JSON ----------------------------------------------
ENTITY_JSON_CHARS_MAX: Final = 8_000
SLOT_JSON_CHARS_MAX: Final = 64_000
PREFERENCE_JSON_CHARS_MAX: Final = 4_000

# --- JSON bodies ---------------------------------------------------------------------------------
BODY_BYTES_MAX: Final = 4 * 1024 * 1024
JSON_DEPTH_MAX: Final = 32
JSON_KEYS_MAX: Final = 10_000
IMPORT_KEYS_MAX: Final = 100_000
"""Of one ImportMemories, whose records have many."""
JSON_NUMBER_CHARS_MAX: Final = 32
MCP_ENVELOPE_DEPTH: Final = 2
"""The arguments of an MCP call lie two objects deep; within them a request's own depth counts."""
MCP_ENVELOPE_KEYS_MAX: Final = 1_000
"""Keys of an MCP message beside those of the arguments."""

# --- time ----------------------------------------------------------------------------------------
WAIT_MS_MAX: Final = 30_000
ERASURE_WAIT_MS: Final = 2_000
"""So long ForgetMemory waits, unless asked otherwise, so as to say that files are clean."""

# --- tokens --------------------------------------------------------------------------------------
COUNT_INLINE_CHARS_MAX: Final = 4_000
"""Longer texts are counted in a thread: 20,000 Chinese characters take milliseconds."""
