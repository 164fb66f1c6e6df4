// Made by `make generate` from the code. Do not edit.

export interface ArchiveMemoryRequest {
  memory_id: string
  user_id?: string | null
  why?: string | null
}

export interface AuditItem {
  at: string
  key?: string | null
  operation: string
  status: number
  user_id?: string | null
  user?: string | null
  conversation?: string | null
  memory_id?: string | null
}

export type BatchOp = "forget" | "archive" | "restore"

export type BatchState = "previewed" | "waiting" | "running" | "done" | "cancelled"

export interface CancelJobRequest {
  job_id: string
}

export type Category = "system" | "core" | "fact" | "episode"

export type Cause = "contradiction" | "uncertain" | "fading" | "promote"

export interface ChangeAnswer {
  number: number
  at: string
  op: Op
  by: string
  why?: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
  item_id?: string | null
  verdict?: Verdict | null
}

export interface ChangeRecord {
  number: number
  at_ms: number
  op: Op
  by?: string
  why?: string
  before?: NotedFields
  after?: NotedFields
  decides?: string
  verdict?: string
  of?: string | ""
}

export interface ChatMessage {
  role: "user" | "assistant" | "tool" | "system"
  content: string
}

export interface Checked {
  subject: string
  ok: boolean
  text: string
}

export interface CheckpointShortMemoryRequest {
  conversation_id: string
  summary?: string | null
  recent_turns?: number | null
  covers_seq?: number | null
}

export interface CheckpointShortMemoryResponse {
  conversation_id: string
  checkpoint_message_id: string
  covers_seq: number
  mode: Mode
  token_ratio: number
  rev: number
  summary: string
}

export interface ConfirmFactsRequest {
  user_id: string
  fact_ids: Array<string>
  verdict: "confirmed" | "wrong"
  why?: string | null
}

export interface ConflictAnswer {
  kind: string
  memory_ids: Array<string>
}

export interface ContextBlock {
  name: "safety" | "time" | "core" | "summary" | "tools" | "recalled"
  text: string
  tokens: number
}

export interface ConversationChanged {
  conversation_id: string
  revision: string
  state: SessionState
  rev?: number | null
  seq: number
  turn_count: number
  mode?: Mode | null
  updated_at?: string | null
  expires_at?: string | null
  finalization_id?: string | null
}

export interface ConversationItem {
  conversation_id: string
  state: SessionState
  turns: number
  messages: number
  started_at?: string | null
  updated_at?: string | null
  mode?: Mode | null
  tokens?: number | null
  subject?: string | null
  summary?: string | null
  finalization_id?: string | null
  reason?: string | null
}

export interface CreateMemoryRequest {
  user_id: string
  subject: string
  memory_type: "event" | "fact" | "relation" | "opinion" | "事件" | "事实" | "关系" | "观点"
  topic: string
  object?: string | null
  attributes?: Record<string, string> | null
  importance?: number
  polarity?: "+" | "-" | null
  conversation_id?: string | null
  seq?: number | null
  quote?: string | null
  occurred_at?: string | null
}

export interface CreateMemoryResponse {
  success: boolean
  memory_id: string
  status: "staged" | "consolidated"
  created: boolean
  memory: MemoryAnswer
  times: Array<TimeRead>
  message: string
  warnings?: Array<string> | null
}

export interface CreateShortMemoryRequest {
  conversation_id: string
  user_id: string
  agent_code?: string | null
  timezone?: string | null
}

export interface CreateShortMemoryResponse {
  conversation_id: string
  created: boolean
  resumed: boolean
  mode: Mode
  rev: number
  expires_at: string
}

export interface CurateMemoriesRequest {
  user_id: string
  conversation_id?: string | null
  dry_run?: boolean
}

export interface CurateMemoriesResponse {
  conversation_id: string
  decisions: Array<CurationDecision>
  dry_run: boolean
}

export interface CurationDecision {
  op: "UPDATE" | "DELETE" | "BOOST"
  memory_id: string
  text: string
  by: string
  at: string
  seq?: number | null
  quote?: string | null
  right?: string | null
  asks?: boolean
  applied: boolean
}

export interface DayNumbers {
  date: string
  recorded: number
}

export interface DebugProcessMemoryRequest {
  input: string
  user_id: string
}

export interface DebugProcessMemoryResponse {
  status: string
  resolved_query: string
  steps: Array<DebugStep>
}

export interface DebugStep {
  step: string
  took_ms: number
  details: Record<string, unknown>
}

export interface DecayPoint {
  at: string
  vitality: number
}

export interface DecideReviewRequest {
  item_id: string
  user_id?: string | null
  verdict: "APPLY" | "REJECT" | "PROMOTE" | "KEEP" | "DELETE"
  why?: string | null
}

export interface DecideReviewResponse {
  item_id: string
  verdict: Verdict
  by: string
  decided_at: string
  why?: string | null
  replayed: boolean
  memory: MemoryAnswer
}

export interface EndSessionRequest {
  user_id: string
}

export interface EndSessionResponse {
  status: string
  message: string
  session_info: SessionEnded | null
}

export interface ErasedBytes {
  state: "rewritten" | "pending" | "not ours to rewrite"
  advice: string
}

export interface ErasureResponse {
  erasure_id: string
  state: "DONE" | "PENDING"
  erased_at: string
  session_files: ErasedBytes
  store_files: ErasedBytes
}

export interface ExplainMemoryRequest {
  user_id?: string | null
  memory_id?: string | null
  conversation_id?: string | null
  seq?: number | null
  locale?: "zh" | "en"
}

export interface ExplainMemoryResponse {
  memory?: MemoryAnswer | null
  memories: Array<MemoryAnswer>
  messages: Array<TurnMessage>
  reasons: Array<string>
}

export interface ExportMemoriesRequest {
  user_id?: string | null
  states?: Array<"held" | "ended" | "superseded" | "archived"> | null
  cursor?: string
  limit?: number
}

export interface ExportMemoriesResponse {
  records: Array<MemoryRecord | ProfileRecord>
  cursor: string
  as_of: string
}

export interface FinalizationList {
  finalizations: Array<UnfinishedSession>
  cursor: string
}

export interface FinalizationResponse {
  conversation_id: string
  finalization_id: string | null
  state: SessionState
  steps: Array<string>
  attempts: number
  reason?: string | null
  memory_ids: Array<string>
  skipped?: string | null
}

export interface FinalizeSessionMemoryRequest {
  conversation_id: string
  summary?: string | null
  recent_turns?: number | null
  wait_ms?: number
}

export interface FindPathRequest {
  user_id: string
  source: string
  target: string
  hops_max?: number
  paths_max?: number
  as_of?: string | null
  relations?: Array<string> | null
}

export interface FindPathResponse {
  paths: Array<FoundPath>
  truncated: boolean
}

export interface FlowContext {
  current_agent_key: string
  last_bot_message: string
  turn_count: number
}

export interface ForgetMemoryRequest {
  user_id?: string
  memory_id?: string
  conversation_id?: string
  dry_run?: boolean
  wait_ms?: number
}

export interface ForgetMemoryResponse {
  erasure_id: string
  state: "DONE" | "PENDING"
  erased_at: string
  session_files: ErasedBytes
  store_files: ErasedBytes
  user_id: string
  memories: number
  memunits: number
  sessions: number
  profile: boolean
  store: string
  guarantee: string
  dry_run: boolean
}

export interface FoundMemory {
  content: string
  score: number
}

export interface FoundPath {
  nodes: Array<WholeNode>
  steps: Array<PathStep>
  length: number
}

export interface FoundRelation {
  source: string
  relation: string
  target: string
}

export interface GetDecayRequest {
  memory_id: string
  user_id?: string | null
  days?: number
  used_at?: string | null
}

export interface GetDecayResponse {
  law: string
  vitality: number
  points: Array<DecayPoint>
  review_at?: string | null
  forget_at?: string | null
}

export interface GetErasureRequest {
  erasure_id: string
  wait_ms?: number
}

export interface GetFinalizationRequest {
  conversation_id: string
}

export interface GetGraphRequest {
  user_id: string
  about?: string | null
  depth?: number
  as_of?: string | null
  relations?: Array<string> | null
  kinds?: Array<"fact" | "created" | "link"> | null
  cursor?: string
  limit?: number
  include?: Array<"conflicts" | "suggestions" | "merged" | "past" | "evidence">
  format?: "json" | "mermaid" | "graphml" | "dot"
}

export interface GetGraphResponse {
  nodes: Array<WholeNode>
  edges: Array<WholeEdge>
  links: Array<WholeLink>
  conflicts?: Array<ConflictAnswer> | null
  suggestions?: Array<SuggestionAnswer> | null
  merged?: Array<MergeAnswer> | null
  truncated: boolean
  cursor: string
  format: string
  text?: string | null
}

export interface GetJobRequest {
  job_id: string
}

export interface GetMemUnitRequest {
  user_id: string
  unit_id: string
}

export interface GetMemoryHistoryRequest {
  memory_id: string
  user_id?: string | null
}

export interface GetMemoryHistoryResponse {
  memory: MemoryAnswer
  changes: Array<ChangeAnswer>
}

export interface GetMemoryRequest {
  user_id?: string | null
  memory_id: string
}

export interface GetMemoryToolsRequest {
  format?: "openai" | "openai_strict" | "mcp" | "prompt"
  locale?: "zh" | "en"
}

export interface GetMemoryToolsResponse {
  format: string
  tools?: Array<Record<string, unknown>> | null
  prompt?: string | null
  operations: Record<string, string>
}

export interface GetProfileRequest {
  user_id: string
}

export interface GetSessionRequest {
  conversation_id: string
  agent_code?: string | null
}

export interface GetSessionResponse {
  conversation_id: string
  state: SessionState
  rev: number
  seq: number
  tokens: number
  expires_at: string | null
  session: SessionValue | null
  degraded: Array<string>
}

export interface GetSessionStatusRequest {
  user_id: string
}

export interface GetSessionStatusResponse {
  status: string
  has_active_session: boolean
  state: string
  session_info: SessionLiving | null
}

export interface GetSettingsRequest {
  section?: string | null
}

export interface GetSettingsResponse {
  settings: Array<SettingItem>
  versions: Versions
}

export interface GetStatsRequest {
  user_id?: string | null
  days?: number
}

export interface GetStatsResponse {
  user_id?: string | null
  revision: string
  computed_at?: string | null
  counting: boolean
  memories?: MemoryNumbers | null
  by_day: Array<DayNumbers>
  sessions?: SessionNumbers | null
  users?: number | null
  conversations?: number | null
  reviews?: Record<string, number> | null
  models?: SpentToday | null
}

export interface GetTimelineRequest {
  conversation_id: string
  user_id?: string | null
  after_seq?: number
  limit?: number
}

export interface GetTimelineResponse {
  conversation_id: string
  head: ConversationItem
  revision: string
  entries: Array<TimelineEntry>
  next_after_seq?: number | null
}

export interface GetUserGraphRequest {
  user_id: string
  format?: "json" | "mermaid" | "graphml" | "dot"
  cursor?: string
  limit?: number
}

export interface GetUserGraphResponse {
  status: string
  nodes: Array<GraphNode>
  edges: Array<GraphEdge>
  format: string
  text?: string | null
  truncated: boolean
  cursor: string
}

export interface GivenContext {
  at: string
  agent_code?: string | null
  mode: Mode
  from_seq?: number | null
  tokens: number
  memory_ids: Array<string>
  fact_ids: Array<string>
}

export interface GlobalState {
  shared: Record<string, unknown> | null
  entities?: Record<string, unknown> | null
  agent_slots?: Record<string, unknown> | null
  current_intent?: string | null
  pending_action?: Record<string, unknown> | null
}

export interface GraphEdge {
  source: string
  relation: string
  target: string
  memory_id: string
  valid: boolean
}

export interface GraphNode {
  id: string
  label: string
  kind: string
}

export interface Health {
  status: string
  version: string
  components: Record<string, Record<string, unknown>>
}

export interface ImportMemoriesRequest {
  user_id: string
  records: Array<Record<string, unknown>>
  dry_run?: boolean
  locale?: "zh" | "en"
}

export interface ImportMemoriesResponse {
  outcomes: Array<RecordOutcome>
  added: number
  same: number
  refused: number
  dry_run: boolean
}

export interface JobAnswer {
  job_id: string
  revision: string
  user_id: string
  op: BatchOp
  state: BatchState
  done: number
  total: number
  failed: number
  by: string
  why?: string | null
  created_at: string
  started_at?: string | null
  ended_at?: string | null
  erasure_id?: string | null
}

export interface JobFailure {
  memory_id: string
  code: LeftOut
}

export interface JobResponse {
  job_id: string
  revision: string
  user_id: string
  op: BatchOp
  state: BatchState
  done: number
  total: number
  failed: number
  by: string
  why?: string | null
  created_at: string
  started_at?: string | null
  ended_at?: string | null
  erasure_id?: string | null
  failures: Array<JobFailure>
}

export interface KeyItem {
  name?: string | null
  scopes: Array<string>
  revoked: boolean
  last_used_at?: string | null
}

export type Kind = "episode" | "fact" | "event" | "profile" | "created" | "link"

export type LeftOut = "unknown" | "pending" | "same" | "profile" | "link" | "safety" | "core" | "failed"

export interface LinkMemoriesRequest {
  user_id: string
  source_memory_id?: string | null
  source_memory_description?: string | null
  target_memory_id?: string | null
  target_memory_description?: string | null
  relation_type: "based_on" | "causes" | "cites" | "related" | "因为" | "基于" | "导致" | "引用" | "所以" | "相关"
  importance?: number
  quote?: string | null
  occurred_at?: string | null
}

export interface LinkMemoriesResponse {
  success: boolean
  link_id: string
  source_memory_id: string
  target_memory_id: string
  relation: string
  reads: string
  created: boolean
}

export interface ListAuditRequest {
  user_id?: string | null
  conversation_id?: string | null
  operation?: string | null
  key?: string | null
  outcome?: "all" | "refused"
  since?: string | null
  until?: string | null
  cursor?: string
  limit?: number
}

export interface ListAuditResponse {
  items: Array<AuditItem>
  cursor: string
}

export interface ListConversationsRequest {
  user_id: string
  state?: "ACTIVE" | "ENDING" | "ENDED" | "FAILED" | null
  cursor?: string
  limit?: number
}

export interface ListConversationsResponse {
  items: Array<ConversationItem>
  cursor: string
  total: number
}

export interface ListFinalizationsRequest {
  state?: "ENDING" | "FAILED" | null
  cursor?: string
  limit?: number
}

export interface ListJobsRequest {
  user_id?: string | null
  cursor?: string
  limit?: number
}

export interface ListJobsResponse {
  items: Array<JobAnswer>
  cursor: string
}

export interface ListKeysRequest {
  revoked?: boolean
}

export interface ListKeysResponse {
  items: Array<KeyItem>
  open: boolean
}

export interface ListMemUnitsRequest {
  user_id: string
  conversation_id?: string | null
  include?: Array<"original_data">
  cursor?: string
  limit?: number
}

export interface ListMemUnitsResponse {
  items: Array<MemUnitAnswer>
  cursor: string
  total_count: number
}

export interface ListMemoriesRequest {
  kinds?: Array<Kind> | null
  categories?: Array<Category> | null
  types?: Array<"event" | "fact" | "relation" | "opinion" | "事件" | "事实" | "关系" | "观点"> | null
  states?: Array<"held" | "ended" | "superseded" | "archived"> | null
  contains?: string | null
  conversation_id?: string | null
  user_id: string
  cursor?: string
  limit?: number
}

export interface ListMemoriesResponse {
  items: Array<MemoryAnswer>
  cursor: string
}

export interface ListReviewsRequest {
  user_id?: string | null
  cause?: "contradiction" | "uncertain" | "fading" | "promote" | null
  locale?: "zh" | "en" | null
  cursor?: string
  limit?: number
}

export interface ListReviewsResponse {
  items: Array<ReviewItem>
  cursor: string
  counts: Record<string, number>
}

export interface ListUsersRequest {
  prefix?: string | null
  order?: "active" | "name"
  cursor?: string
  limit?: number
}

export interface ListUsersResponse {
  items: Array<UserItem>
  cursor: string
  total: number
}

export interface MarkUsedRequest {
  user_id: string
  memory_ids: Array<string>
  used?: boolean
  occurred_at?: string | null
}

export interface MarkUsedResponse {
  results: Array<Marked>
}

export interface Marked {
  memory_id: string
  outcome: "boosted" | "cooling" | "capped" | "unused" | "off" | "unknown"
}

export interface MemUnitAnswer {
  unit_id: string
  user_id: string
  user_id_list: Array<string>
  conversation_id: string
  group_id?: string | null
  source_type: "CONVERSATION"
  subject: string
  summary: string
  narrative: string
  participants: Array<string>
  session_number: number
  seq_from: number
  seq_to: number
  turn_from: number
  turn_to: number
  timestamp: string
  ended_at: string
  memory_ids: Array<string>
  original_data?: Array<TurnMessage> | null
  memories?: Array<MemoryAnswer> | null
}

export interface MemoryAnswer {
  memory_id: string
  user_id: string
  kind: Kind
  category: Category
  type: Type
  text: string
  speaker?: string | null
  subject?: string | null
  predicate?: string | null
  object?: string | null
  polarity?: string | null
  attributes?: Record<string, string> | null
  importance: number
  strength: number
  score?: number | null
  scores?: Record<string, number> | null
  shown: number
  accesses: number
  mind: string
  verified?: boolean | null
  status?: string | null
  distance?: number | null
  path?: Array<string> | null
  pending?: boolean | null
  occurred_at: string
  recorded_at: string
  updated_at?: string | null
  valid_from?: string | null
  valid_to?: string | null
  superseded_by?: string | null
  archived_at?: string | null
  kept_at?: string | null
  review_at?: string | null
  forget_at?: string | null
  source: MemorySource
}

export interface MemoryChoice {
  kinds?: Array<Kind> | null
  categories?: Array<Category> | null
  types?: Array<"event" | "fact" | "relation" | "opinion" | "事件" | "事实" | "关系" | "观点"> | null
  states?: Array<"held" | "ended" | "superseded" | "archived"> | null
  contains?: string | null
  conversation_id?: string | null
}

export interface MemoryNumbers {
  total: number
  states: Record<string, number>
  kinds: Record<string, number>
  categories: Record<string, number>
  minds: Record<string, number>
  shown: number
  used: number
  links: number
}

export interface MemoryRecord {
  memory_id: string
  user_id: string
  kind: Kind
  category: Category
  type: Type
  text: string
  source: SourceRecord
  occurred_ms: number
  recorded_ms: number
  importance?: number
  strength?: number
  subject?: string
  predicate?: string
  object?: string
  polarity?: "+" | "-"
  attributes?: Record<string, string>
  speaker?: string
  position?: number
  mind?: string
  valid_from_ms?: number | null
  valid_to_ms?: number | null
  superseded_by?: string | ""
  archived_ms?: number | null
  accesses?: number
  accessed_ms?: number | null
  boost_day?: number
  boosted?: number
  shown?: number
  boosted_ms?: number | null
  updated_ms?: number | null
  kept_ms?: number | null
  kept_scale?: number
  reviewed_ms?: number | null
  changes?: Array<ChangeRecord>
}

export interface MemorySource {
  conversation_id: string
  unit_id?: string | null
  seqs: Array<number>
  quote: string
}

export interface MergeAnswer {
  merge_id: string
  a: string
  b: string
  by: string
  why: string
  at: string
}

export interface MergeNodesRequest {
  user_id: string
  a: string
  b: string
  reason?: string | null
}

export interface MergeNodesResponse {
  node: WholeNode
  merge_id: string
  created: boolean
}

export interface MessageContext {
  summary: string
  window_messages: Array<ChatMessage> | null
  mode: Mode
  checkpoint_message_id?: string | null
}

export interface MessageIn {
  role: Role
  content: string
  name?: string | null
  agent_code?: string | null
  occurred_at?: string | null
}

export interface MetaInfo {
  conversation_id: string
  user_id: string
  updated_at: number
}

export type Mode = "FULL_HISTORY" | "SUMMARY_N"

export interface NotedFields {
  text?: string | null
  category?: Category | null
  subject?: string | null
  predicate?: string | null
  object?: string | null
  polarity?: "+" | "-" | null
  attributes?: Record<string, string> | null
  importance?: number | null
  strength?: number | null
  occurred_ms?: number | null
  valid_from_ms?: number | null
  valid_to_ms?: number | null
  superseded_by?: string | "" | null
  archived_ms?: number | null
  kept_ms?: number | null
}

export type Op = "updated" | "superseded" | "ended" | "renewed" | "used" | "archived" | "restored" | "kept" | "promoted" | "confirmed" | "reviewed"

export interface PathStep {
  source: string
  relation: string
  target: string
  forward: boolean
  memory_id?: string | null
  link_id?: string | null
  quote: string
  quoted: boolean
}

export interface PendingAction {
  tool_name: string
  tool_params?: Record<string, unknown>
  reason?: string
}

export interface PreviewBatchRequest {
  user_id: string
  op: "forget" | "archive" | "restore"
  memory_ids?: Array<string> | null
  choice?: MemoryChoice | null
  include_core?: boolean
}

export interface PreviewBatchResponse {
  batch_token?: string | null
  expires_at?: string | null
  user_id: string
  op: BatchOp
  count: number
  sample: Array<MemoryAnswer>
  left_out: Record<string, number>
  more: boolean
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  errors?: Array<ProblemField>
}

export interface ProblemField {
  field: string
  message: string
}

export interface ProcessMemoryRequest {
  input: string
  user_id: string
}

export interface ProcessMemoryResponse {
  status: string
  resolved_query: string
  memories: Array<FoundMemory>
  relations: Array<FoundRelation>
  metadata: ProcessMetadata
}

export interface ProcessMetadata {
  retrieval_time_ms: number
  has_memory: boolean
  degraded?: Array<string> | null
}

export interface ProfileRecord {
  user_id: string
  profile: ToldProfile
}

export interface ProfileResponse {
  user_id: string
  name?: string | null
  allergies?: Array<string> | null
  chronic_diseases?: Array<string> | null
  surgery_history?: Array<string> | null
  states?: Array<string> | null
  details?: Array<SafetyDetail> | null
  relatives?: Array<SafetyDetail> | null
  no_known_allergies?: boolean | null
  preferences?: Record<string, unknown> | null
  version: number
  memory_ids: Array<string>
  degraded: Array<string>
}

export interface QueryMemoryContextRequest {
  conversation_id: string
  user_id?: string | null
  agent_code?: string | null
  query?: string
  token_threshold_ratio?: number | null
  recent_turns?: number | null
  model_context_window?: number | null
  from_checkpoint?: string | null
  include?: Array<"full_history" | "session" | "turns" | "explain" | "blocks" | "time" | "no_memories">
  full_history_cursor?: string | null
  preview?: boolean
}

export interface QueryMemoryContextResponse {
  conversation_id: string
  session_state: SessionState
  rev: number
  seq: number
  turn_count: number
  resumed: boolean
  mode: Mode
  history: string
  messages: Array<ChatMessage>
  context: string
  safety: Safety
  relatives: Array<SafetyDetail>
  memories: Array<Record<string, unknown>>
  summary: string
  checkpoint_message_id: string
  estimated_tokens: number
  token_ratio: number
  should_checkpoint_summary: boolean
  window_shrunk: boolean
  degraded: Array<string>
  full_history?: string | null
  full_history_cursor?: string | null
  turns?: Array<TurnMessage> | null
  session?: SessionValue | null
  explain?: Record<string, unknown> | null
  blocks?: Array<ContextBlock> | null
}

export interface RecordOutcome {
  outcome: "added" | "same" | "refused"
  memory_id?: string | null
  reason?: string | null
}

export interface ReplayFinalizationRequest {
  conversation_id: string
  finalization_id?: string | null
}

export interface ReplayFinalizationResponse {
  conversation_id: string
  replayed: Array<string>
}

export interface ResolveMemoryConflictRequest {
  user_id: string
  memory_ids: Array<string>
  keep: string
}

export interface ResolveMemoryConflictResponse {
  kept: MemoryAnswer
  ended: MemoryAnswer
}

export interface RestoreMemoryRequest {
  memory_id: string
  user_id?: string | null
  why?: string | null
}

export interface ReviewItem {
  item_id: string
  cause: Cause
  user_id: string
  memory: MemoryAnswer
  beside: Array<MemoryAnswer>
  why: string
  verdicts: Array<VerdictMeans>
  opened_at: string
  forget_at?: string | null
}

export type Role = "user" | "assistant" | "tool" | "system"

export interface RunDoctorRequest {
  models?: boolean
}

export interface RunDoctorResponse {
  ok: boolean
  checks: Array<Checked>
}

export interface Safety {
  allergies: Array<string>
  chronic_diseases: Array<string>
  surgery_history: Array<string>
  states: Array<string>
  details: Array<SafetyDetail>
  no_known_allergies: boolean
}

export interface SafetyDetail {
  subject?: string | null
  kind: "allergy" | "disease" | "surgery" | "pregnancy" | "breast_feeding" | "implant" | "anticoagulant"
  text: string
  status: "possible" | "said" | "remembered" | "confirmed"
  denied?: boolean | null
  quote?: string | null
  reaction?: string | null
  conversation_id?: string | null
  seq?: number | null
  said_at?: string | null
  fact_id?: string | null
  memory_id?: string | null
  why?: string | null
}

export interface SafetyFacts {
  allergies?: Array<string> | null
  chronic_diseases?: Array<string> | null
  surgery_history?: Array<string> | null
}

export interface SearchMemoriesRequest {
  user_id: string
  query: string
  mode?: "keyword" | "vector" | "hybrid"
  limit?: number
  kinds?: Array<Kind> | null
  categories?: Array<Category> | null
  types?: Array<"event" | "fact" | "relation" | "opinion" | "事件" | "事实" | "关系" | "观点"> | null
  conversation_id?: string | null
  time_range?: TimeRange | null
  time_from?: string | null
  time_to?: string | null
  as_of?: string | null
  radius?: number | null
  group_by?: "conversation" | null
  explain?: boolean
  search_mode?: "fast" | "auto" | "deep" | null
  expand_depth?: number | null
  relations?: Array<"based_on" | "causes" | "cites" | "related" | "因为" | "基于" | "导致" | "引用" | "所以" | "相关"> | null
  timezone?: string | null
}

export interface SearchMemoriesResponse {
  memories: Array<MemoryAnswer>
  mode: string
  searched: Searched
  degraded: Array<string>
}

export interface Searched {
  mode: string
  went_deep: boolean
  why: string
}

export interface SessionEnded {
  event_count: number
  duration_seconds: number
  created_at: string
  ended_at: string
}

export interface SessionLiving {
  event_count: number
  created_at: string
  last_active_at: string
  time_until_timeout_seconds: number
}

export interface SessionNumbers {
  alive: number
  ending: number
  failed: number
}

export type SessionState = "NONE" | "ACTIVE" | "ENDING" | "ENDED" | "FAILED"

export interface SessionValue {
  meta: MetaInfo
  flow_context: FlowContext
  message_context: MessageContext
  global_state: GlobalState
  user_snapshot: UserSnapshot
}

export interface SettingItem {
  key: string
  value: boolean | number | string | Record<string, string>
  default: boolean | number | string | Record<string, string>
  origin: "default" | "file" | "environment" | "flag"
  source?: string | null
  unit?: "ms" | "s" | "days" | "bytes" | "tokens" | "characters" | null
  secret: boolean
  why: string
}

export interface SettleMemoriesRequest {
  user_id: string
  wait_ms?: number
}

export interface SettleMemoriesResponse {
  state: "settled" | "going_on"
  steps?: SettleSteps | null
  left?: number | null
}

export interface SettleSteps {
  completed: number
  checked: number
  merged: number
  suggested: number
  conflicts: number
}

export interface SourceRecord {
  conversation: string | ""
  unit_id: string | ""
  seqs: Array<number>
  quote: string
}

export interface SpentToday {
  tokens: number
  tokens_max?: number | null
  money: number
  money_max?: number | null
}

export interface SplitNodesRequest {
  user_id: string
  a: string
  b: string
  reason?: string | null
}

export interface SplitNodesResponse {
  split: boolean
  blocked: string
}

export interface StartBatchRequest {
  batch_token: string
  user_id: string
  confirm_count: number
  why?: string | null
}

export interface StateUpdate {
  entities?: Record<string, unknown> | null
  slot?: Record<string, unknown> | null
  current_intent?: string | null
  pending_action?: PendingAction | null
  clear_pending_action?: boolean
}

export interface SuggestionAnswer {
  suggestion_id: string
  a: string
  b: string
  score: number
  why: string
}

export interface TimeRange {
  start?: string | null
  end?: string | null
}

export interface TimeRead {
  key: string
  said: string
  understood: boolean
  start?: string | null
  end?: string | null
  grain?: string | null
}

export interface TimelineEntry {
  type: string
  seq: number
  at: string
  turn?: number | null
  role?: string | null
  name?: string | null
  agent_code?: string | null
  content?: string | null
  tokens?: number | null
  occurred_at?: string | null
  given?: GivenContext | null
  checkpoint_id?: string | null
  covers_seq?: number | null
  recent_turns?: number | null
  summary?: string | null
  unit_id?: string | null
  subject?: string | null
  noted?: Record<string, unknown> | null
}

export interface ToldProfile {
  name?: string
  allergies?: Array<string>
  chronic_diseases?: Array<string>
  surgery_history?: Array<string>
  preferences?: Record<string, unknown>
}

export interface ToolResultIn {
  name: string
  content: string
}

export interface Triple {
  subject: string
  predicate: string
  object: string
  valid_from?: string | null
  quote?: string | null
}

export interface TurnMessage {
  role: "user" | "assistant" | "tool" | "system"
  content: string
  seq: number
  turn: number
  at: string
  tokens: number
  name?: string | null
  agent_code?: string | null
  occurred_at?: string | null
}

export type Type = "event" | "fact" | "relation" | "opinion"

export interface UnfinishedSession {
  conversation_id: string
  finalization_id: string | null
  state: SessionState
  steps: Array<string>
  attempts: number
  reason?: string | null
  memory_ids: Array<string>
  skipped?: string | null
  user_id?: string | null
  sealed_at: string
  cause: string
}

export interface UnlinkMemoriesRequest {
  user_id: string
  link_id: string
}

export interface UnlinkMemoriesResponse {
  link_id: string
  ended: boolean
}

export interface UpdateGlobalStateRequest {
  entities?: Record<string, unknown> | null
  slot?: Record<string, unknown> | null
  current_intent?: string | null
  pending_action?: PendingAction | null
  clear_pending_action?: boolean
  conversation_id: string
  user_id?: string | null
  agent_code?: string | null
  if_rev?: number | null
  idempotency_key?: string | null
}

export interface UpdateGlobalStateResponse {
  conversation_id: string
  mode: Mode
  updated_at: string
  rev: number
  seq: number
  turn_count: number
  replayed: boolean
  warnings?: Array<string> | null
}

export interface UpdateMemoryRequest {
  user_id: string
  memory_id: string
  importance?: number | null
  attributes?: Record<string, string | null> | null
  valid_to?: string | null
  object?: string | null
  polarity?: "+" | "-" | null
  text?: string | null
  why?: string | null
  if_updated_at?: string | null
}

export interface UpdateMemoryResponse {
  memory: MemoryAnswer
  superseded?: string | null
}

export interface UpsertFactsRequest {
  user_id: string
  conversation_id?: string | null
  facts?: SafetyFacts | null
  remove?: SafetyFacts | null
  triples?: Array<Triple> | null
}

export interface UpsertPreferencesRequest {
  user_id: string
  conversation_id?: string | null
  preferences?: Record<string, unknown>
  name?: string | null
  timezone?: string | null
}

export interface UserItem {
  user_id: string
  last_active_at?: string | null
  conversations: number
}

export interface UserSnapshot {
  user_id: string
  name?: string | null
  allergies?: Array<string> | null
  chronic_diseases?: Array<string> | null
  surgery_history?: Array<string> | null
  states?: Array<string> | null
  details?: Array<SafetyDetail> | null
  relatives?: Array<SafetyDetail> | null
  no_known_allergies?: boolean | null
  preferences?: Record<string, unknown> | null
}

export type Verdict = "APPLY" | "REJECT" | "PROMOTE" | "KEEP" | "DELETE"

export interface VerdictMeans {
  verdict: Verdict
  means: string
}

export interface Versions {
  anamnesis: string
  python: string
  server?: string | null
  store: string
  encoding: string
  space?: string | null
  generations?: Array<string> | null
}

export interface WatchConversationRequest {
  conversation_id: string
  user_id?: string | null
  since?: string | null
}

export interface WatchJobRequest {
  job_id: string
  since?: string | null
}

export interface WatchStatsRequest {
  days?: number
  since?: string | null
}

export interface WholeEdge {
  source: string
  relation: string
  target: string
  memory_id: string
  type: string
  evidence?: Array<string> | null
  quote: string
  quoted: boolean
  importance: number
  attributes?: Record<string, string> | null
  valid: boolean
  valid_from?: string | null
  valid_to?: string | null
}

export interface WholeLink {
  link_id: string
  source_memory_id: string
  target_memory_id: string
  relation: string
  importance: number
  quote: string
  valid: boolean
}

export interface WholeNode {
  id: string
  label: string
  kind: string
  aliases?: Array<string> | null
}

export interface WriteMessagesRequest {
  conversation_id: string
  user_id?: string | null
  agent_code?: string | null
  idempotency_key?: string | null
  if_rev?: number | null
  tool_results?: Array<ToolResultIn> | null
  used_memory_ids?: Array<string> | null
  messages: Array<MessageIn>
  timezone?: string | null
}

export interface WriteResponse {
  conversation_id: string
  mode: Mode
  updated_at: string
  rev: number
  seq: number
  turn_count: number
  replayed: boolean
  warnings?: Array<string> | null
}

export interface WriteTurnRequest {
  conversation_id: string
  user_id?: string | null
  agent_code?: string | null
  idempotency_key?: string | null
  if_rev?: number | null
  tool_results?: Array<ToolResultIn> | null
  used_memory_ids?: Array<string> | null
  user_query: string
  agent_response: string
  occurred_at?: string | null
  state?: StateUpdate | null
  timezone?: string | null
}

export interface Operations {
  CreateShortMemory: { request: CreateShortMemoryRequest; response: CreateShortMemoryResponse }
  QueryMemoryContext: { request: QueryMemoryContextRequest; response: QueryMemoryContextResponse }
  WriteTurn: { request: WriteTurnRequest; response: WriteResponse }
  WriteMessages: { request: WriteMessagesRequest; response: WriteResponse }
  CheckpointShortMemory: { request: CheckpointShortMemoryRequest; response: CheckpointShortMemoryResponse }
  ListUsers: { request: ListUsersRequest; response: ListUsersResponse }
  GetStats: { request: GetStatsRequest; response: GetStatsResponse }
  ListAudit: { request: ListAuditRequest; response: ListAuditResponse }
  ListKeys: { request: ListKeysRequest; response: ListKeysResponse }
  ListConversations: { request: ListConversationsRequest; response: ListConversationsResponse }
  GetTimeline: { request: GetTimelineRequest; response: GetTimelineResponse }
  UpdateGlobalState: { request: UpdateGlobalStateRequest; response: UpdateGlobalStateResponse }
  GetSession: { request: GetSessionRequest; response: GetSessionResponse }
  FinalizeSessionMemory: { request: FinalizeSessionMemoryRequest; response: FinalizationResponse }
  GetFinalization: { request: GetFinalizationRequest; response: FinalizationResponse }
  ListFinalizations: { request: ListFinalizationsRequest; response: FinalizationList }
  ReplayFinalization: { request: ReplayFinalizationRequest; response: ReplayFinalizationResponse }
  UpsertFacts: { request: UpsertFactsRequest; response: ProfileResponse }
  ConfirmFacts: { request: ConfirmFactsRequest; response: ProfileResponse }
  UpsertPreferences: { request: UpsertPreferencesRequest; response: ProfileResponse }
  GetProfile: { request: GetProfileRequest; response: ProfileResponse }
  SearchMemories: { request: SearchMemoriesRequest; response: SearchMemoriesResponse }
  GetMemory: { request: GetMemoryRequest; response: MemoryAnswer }
  ListMemories: { request: ListMemoriesRequest; response: ListMemoriesResponse }
  ExplainMemory: { request: ExplainMemoryRequest; response: ExplainMemoryResponse }
  MarkUsed: { request: MarkUsedRequest; response: MarkUsedResponse }
  CurateMemories: { request: CurateMemoriesRequest; response: CurateMemoriesResponse }
  ArchiveMemory: { request: ArchiveMemoryRequest; response: MemoryAnswer }
  RestoreMemory: { request: RestoreMemoryRequest; response: MemoryAnswer }
  GetDecay: { request: GetDecayRequest; response: GetDecayResponse }
  GetMemoryHistory: { request: GetMemoryHistoryRequest; response: GetMemoryHistoryResponse }
  ListReviews: { request: ListReviewsRequest; response: ListReviewsResponse }
  DecideReview: { request: DecideReviewRequest; response: DecideReviewResponse }
  GetMemUnit: { request: GetMemUnitRequest; response: MemUnitAnswer }
  ListMemUnits: { request: ListMemUnitsRequest; response: ListMemUnitsResponse }
  ExportMemories: { request: ExportMemoriesRequest; response: ExportMemoriesResponse }
  ImportMemories: { request: ImportMemoriesRequest; response: ImportMemoriesResponse }
  ForgetMemory: { request: ForgetMemoryRequest; response: ForgetMemoryResponse }
  GetErasure: { request: GetErasureRequest; response: ErasureResponse }
  PreviewBatch: { request: PreviewBatchRequest; response: PreviewBatchResponse }
  StartBatch: { request: StartBatchRequest; response: JobResponse }
  GetJob: { request: GetJobRequest; response: JobResponse }
  CancelJob: { request: CancelJobRequest; response: JobResponse }
  ListJobs: { request: ListJobsRequest; response: ListJobsResponse }
  CreateMemory: { request: CreateMemoryRequest; response: CreateMemoryResponse }
  LinkMemories: { request: LinkMemoriesRequest; response: LinkMemoriesResponse }
  UnlinkMemories: { request: UnlinkMemoriesRequest; response: UnlinkMemoriesResponse }
  UpdateMemory: { request: UpdateMemoryRequest; response: UpdateMemoryResponse }
  GetGraph: { request: GetGraphRequest; response: GetGraphResponse }
  FindPath: { request: FindPathRequest; response: FindPathResponse }
  MergeNodes: { request: MergeNodesRequest; response: MergeNodesResponse }
  SplitNodes: { request: SplitNodesRequest; response: SplitNodesResponse }
  ResolveMemoryConflict: { request: ResolveMemoryConflictRequest; response: ResolveMemoryConflictResponse }
  SettleMemories: { request: SettleMemoriesRequest; response: SettleMemoriesResponse }
  GetMemoryTools: { request: GetMemoryToolsRequest; response: GetMemoryToolsResponse }
  ProcessMemory: { request: ProcessMemoryRequest; response: ProcessMemoryResponse }
  EndSession: { request: EndSessionRequest; response: EndSessionResponse }
  GetSessionStatus: { request: GetSessionStatusRequest; response: GetSessionStatusResponse }
  DebugProcessMemory: { request: DebugProcessMemoryRequest; response: DebugProcessMemoryResponse }
  GetUserGraph: { request: GetUserGraphRequest; response: GetUserGraphResponse }
  GetSettings: { request: GetSettingsRequest; response: GetSettingsResponse }
  RunDoctor: { request: RunDoctorRequest; response: RunDoctorResponse }
}
