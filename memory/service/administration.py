"""What an admin of a tenant asks: who there is, who asked, what waits for a person, many memories at once."""

from collections.abc import Awaitable
from functools import partial

from memory.model import audit_calls as audit
from memory.model import batch_calls as many
from memory.model import curation_calls as care
from memory.model import requests as ask
from memory.model import responses as told
from memory.model import stats_calls as much
from memory.model import transfer_calls as carry
from memory.model import user_calls as who
from memory.model.caller import Caller
from memory.service.audit import AuditReader
from memory.service.batches import BatchOperations
from memory.service.finalizations import Finalizations
from memory.service.reviews import Reviews
from memory.service.stats import Stats
from memory.service.transfer import Transfer
from memory.service.users import Users


class Administration:
    """The part of MemoryService that is an admin's. Methods as there."""

    _users: Users
    _stats: Stats
    _audit: AuditReader
    _reviews: Reviews
    _batches: BatchOperations
    _transfer: Transfer
    _endings: Finalizations

    def list_users(self, caller: Caller, request: who.ListUsersRequest) -> Awaitable[who.ListUsersResponse]:
        """The tenant's users, page by page."""
        return self._users.page(caller, request)

    def get_stats(self, caller: Caller, request: much.GetStatsRequest) -> Awaitable[much.GetStatsResponse]:
        """How much there is."""
        return self._stats.get(caller, request)

    def watch_stats(self, caller: Caller, request: much.WatchStatsRequest) -> Awaitable[much.GetStatsResponse | None]:
        """How much there is of all users, when it has been counted."""
        return self._stats.changed(caller, request)

    def list_audit(self, caller: Caller, request: audit.ListAuditRequest) -> Awaitable[audit.ListAuditResponse]:
        """Who asked for what, page by page."""
        return self._audit.page(caller, request)

    def list_keys(self, caller: Caller, request: audit.ListKeysRequest) -> Awaitable[audit.ListKeysResponse]:
        """Who may ask."""
        return self._audit.keys(caller, request)

    def preview_batch(self, caller: Caller, request: many.PreviewBatchRequest) -> Awaitable[many.PreviewBatchResponse]:
        """What would be done to many memories."""
        return self._batches.preview(caller, request)

    def start_batch(self, caller: Caller, request: many.StartBatchRequest) -> Awaitable[many.JobResponse]:
        """Do it."""
        return self._batches.start(caller, request)

    def get_job(self, caller: Caller, request: many.GetJobRequest) -> Awaitable[many.JobResponse]:
        """How far it has come."""
        return self._batches.get(caller, request)

    def watch_job(self, caller: Caller, request: many.WatchJobRequest) -> Awaitable[many.JobAnswer | None]:
        """How far it has come, when that is news."""
        return self._batches.changed(caller, request)

    def cancel_job(self, caller: Caller, request: many.CancelJobRequest) -> Awaitable[many.JobResponse]:
        """Stop it."""
        return self._batches.cancel(caller, request)

    def list_jobs(self, caller: Caller, request: many.ListJobsRequest) -> Awaitable[many.ListJobsResponse]:
        """What was begun."""
        return self._batches.page(caller, request)

    def export_memories(
        self, caller: Caller, request: carry.ExportMemoriesRequest
    ) -> Awaitable[carry.ExportMemoriesResponse]:
        """Whole memories, page by page."""
        return self._transfer.give(caller, request)

    def import_memories(
        self, caller: Caller, request: carry.ImportMemoriesRequest
    ) -> Awaitable[carry.ImportMemoriesResponse]:
        """Store whole memories for a user."""
        take = partial(self._transfer.take, caller, request)
        return take() if request.dry_run else self._users.told(caller, request.user_id, take)

    def list_reviews(self, caller: Caller, request: care.ListReviewsRequest) -> Awaitable[care.ListReviewsResponse]:
        """What a person has to decide."""
        return self._reviews.page(caller, request)

    def decide_review(self, caller: Caller, request: care.DecideReviewRequest) -> Awaitable[care.DecideReviewResponse]:
        """Decide an open question."""
        return self._reviews.decide(caller, request)

    def list_finalizations(
        self, caller: Caller, request: ask.ListFinalizationsRequest
    ) -> Awaitable[told.FinalizationList]:
        """Ended sessions that are not in memory yet."""
        return self._endings.list_unfinished(caller, request)

    def replay_finalization(
        self, caller: Caller, request: ask.ReplayFinalizationRequest
    ) -> Awaitable[told.ReplayFinalizationResponse]:
        """Try failed sessions again."""
        return self._endings.replay(caller, request)
