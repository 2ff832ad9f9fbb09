//! The dispatcher: checks the caller, the tool and the input; then runs a read, or starts an
//! execution that outlives the request.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::Caller,
    error_code::ErrorCode,
    ports::Dispatcher,
    stay_overview::StayOverview,
    tool::{Tool, ToolCall},
    tool_answer::{FinalAnswer, ToolAnswer, ToolError},
    tool_catalog::{
        self, GetExecution, GetFolio, ListCompensations, SearchAvailableRooms, SearchBookings,
        SearchCasesOnBehalfOfGuest, SearchCasesOnBehalfOfStaff, SearchExecutions, SearchGuests,
        SearchRoomsOnBehalfOfGuest, SearchRoomsOnBehalfOfStaff,
    },
    tool_input::ToolInput,
};
use dewy_saga::{ExecutionId, StartRequest, StartResult, StoreError, journal::ExecutionRecord};
use serde_json::{Value, json};

use crate::{
    boundary::{input_fingerprint::fingerprint, stored_phones::with_stored_phones},
    hotel::{hotel_service::Hotel, input_validation, salesforce_call_budget::Cost},
    reads::{
        get_execution, get_folio, list_compensations, search_bookings, search_cases,
        search_executions, search_guests, search_rooms, stay_overview,
    },
    saga_parts::{engine_conversions, started_by},
    sagas::saga_of,
    views::execution_view,
};

/// Poll interval for callers, in milliseconds.
const POLL_AFTER_MS: u64 = 1000;

/// Returns the answer of the tool, if it is one of these, which only read.
macro_rules! reads {
    ($hotel:expr, $caller:expr, $tool:expr, $input:expr, $($kind:ident => $run:path,)+) => {
        match $tool.name {
            $($kind::NAME => return match $kind::read($input) {
                Ok(input) => $run($hotel, $caller, input).await,
                Err(error) => error.into(),
            },)+
            _ => {}
        }
    };
}

#[async_trait]
impl Dispatcher for Hotel {
    async fn dispatch(&self, caller: &Caller, mut call: ToolCall) -> ToolAnswer {
        let (tool, input) = match self.checked(caller, &call).await {
            Ok(checked) => checked,
            Err(error) => return error.into(),
        };
        let token = call.idempotency_token.as_deref();
        call.idempotency_token = token.map(|token| self.token_key().stored(token));
        let cost = Cost::of(tool.name, &input);
        if let Err(error) = self.spend_salesforce_calls(caller, cost) {
            // What runs already is followed to its end.
            let token = call.idempotency_token.as_deref();
            return match self.known_token(caller, token).await {
                Some(record) if self.is_same(tool, caller, &record, &input) => {
                    let wait = call.wait.unwrap_or(self.settings.request_wait);
                    self.known(&record, wait).await
                }
                _ => error.into(),
            };
        }
        reads! {
            self, caller, tool, &input,
            GetFolio => get_folio::run,
            GetExecution => get_execution::run,
            SearchAvailableRooms => search_rooms::available,
            SearchRoomsOnBehalfOfStaff => search_rooms::for_staff,
            SearchRoomsOnBehalfOfGuest => search_bookings::stays,
            SearchBookings => search_bookings::run,
            SearchCasesOnBehalfOfGuest => search_cases::for_guest,
            SearchCasesOnBehalfOfStaff => search_cases::for_staff,
            SearchGuests => search_guests::run,
            SearchExecutions => search_executions::run,
            ListCompensations => list_compensations::run,
        }
        // A writing tool is a saga of the same name
        self.start(caller, tool, call, input, cost).await
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        stay_overview::run(self, caller).await
    }
}

impl Hotel {
    /// The tool of a call, and its input in the one form in which it is compared and run.
    ///
    /// # Errors
    /// That the caller has no such tool, or all problems of the input.
    pub(crate) async fn checked(
        &self,
        caller: &Caller,
        call: &ToolCall,
    ) -> Result<(&'static Tool, Value), ToolError> {
        let Some(tool) = tool_catalog::find(caller, &call.tool) else {
            let details = json!({ "tool": call.tool });
            return Err(ToolError::with(ErrorCode::UnknownTool, details));
        };
        let token = call.idempotency_token.as_deref();
        let input = input_validation::check(self.schemas, tool, caller, &call.input, token)?;
        let mut input = with_stored_phones(&*self.crm, input)?;
        self.resolve_booking_numbers(&mut input);
        self.resolve_room_name(caller, &mut input).await;
        Ok((tool, input))
    }

    /// Deducts a call's cost from the guest's Salesforce call budget.
    ///
    /// # Errors
    /// `QUOTA_RESERVED` or `RATE_LIMITED`.
    pub(crate) fn spend_salesforce_calls(
        &self,
        caller: &Caller,
        cost: Cost,
    ) -> Result<(), ToolError> {
        let (usage, now) = (self.crm.usage(), self.clock.now());
        self.crm_budget.spend(caller, cost, usage, now)
    }

    async fn known_token(&self, caller: &Caller, token: Option<&str>) -> Option<ExecutionRecord> {
        let journal = self.engine.journal();
        journal
            .find_token(&caller.key(), token?)
            .await
            .ok()
            .flatten()
    }

    /// Starts (or joins, or replays) an execution and waits a bounded time for its answer.
    async fn start(
        &self,
        caller: &Caller,
        tool: &Tool,
        call: ToolCall,
        mut input: Value,
        cost: Cost,
    ) -> ToolAnswer {
        let digest = fingerprint(tool, caller, &input, None);
        input["_by"] = started_by::input_field(caller);
        let known_again = call.idempotency_token.is_some();
        let wait = call.wait.unwrap_or(self.settings.request_wait);
        let labels = engine_conversions::guest_in(&input)
            .map(|email| ("guest_email".to_owned(), email.into()));
        let order = StartRequest {
            saga: saga_of(tool, &input),
            caller: caller.key(),
            interface: caller.interface.name().to_owned(),
            token: call.idempotency_token,
            input_digest: digest,
            input: input.clone(),
            labels: labels.into_iter().collect(),
        };
        let accepted = self.engine.start(order).await;
        if !matches!(accepted, StartResult::Started(_)) {
            self.crm_budget.return_unused(caller, cost);
        }
        match accepted {
            StartResult::Started(id) => self.await_answer(id, wait, false).await,
            // Earlier releases hashed the input byte by byte, one of two requests can give today
            // explicitly, and an overloaded engine compares nothing: so compare how both are
            // understood.
            StartResult::Known(record) if self.is_same(tool, caller, &record, &input) => {
                self.known(&record, wait).await
            }
            StartResult::Known(record) => mismatch(record.id),
            StartResult::Mismatch(id) => match self.engine.journal().load(id).await {
                Ok(Some(record)) if self.is_same(tool, caller, &record, &input) => {
                    self.known(&record, wait).await
                }
                Ok(_) => mismatch(id),
                Err(error) => {
                    tracing::warn!(%error, execution = %id, "the execution could not be read");
                    ToolError::new(ErrorCode::UpstreamUnavailable).into()
                }
            },
            StartResult::Overloaded => {
                ToolError::with(ErrorCode::Overloaded, json!({ "retry_after_seconds": 2 })).into()
            }
            StartResult::Failed(error) => {
                tracing::error!(%error, "an execution was not accepted");
                let nothing_done = matches!(error, StoreError::Busy(_) | StoreError::Full(_));
                let code = if nothing_done {
                    ErrorCode::Overloaded
                } else {
                    ErrorCode::Internal
                };
                // Whether it was accepted is unknown: only a token tells a repeated request from a
                // new one.
                ToolAnswer::from(ToolError::new(code))
                    .repeatable(known_again || code == ErrorCode::Overloaded)
            }
        }
    }

    /// Whether this is the same request as the execution's.
    fn is_same(
        &self,
        tool: &Tool,
        caller: &Caller,
        record: &ExecutionRecord,
        input: &Value,
    ) -> bool {
        if record.saga != saga_of(tool, input) {
            return false;
        }
        let day = self.settings.today(record.created_at);
        let meant = |input: &Value| fingerprint(tool, caller, input, Some(day));
        meant(&record.input) == meant(input)
    }

    /// A caller who joins a running execution gets the same answer as the one who started it.
    async fn known(&self, record: &ExecutionRecord, wait: Duration) -> ToolAnswer {
        match &record.answer {
            Some(answer) => of_record(record, answer, true),
            None => self.await_answer(record.id, wait, false).await,
        }
    }

    /// Waits until the execution has an answer, has to wait for a person, or `wait` is over.
    pub(crate) async fn await_answer(
        &self,
        id: ExecutionId,
        wait: Duration,
        replayed: bool,
    ) -> ToolAnswer {
        let until = self.clock.now() + wait;
        loop {
            // Subscribed before the read, so that no change in between is missed.
            let mut live = self.engine.subscribe(id);
            match self.engine.journal().load(id).await {
                Ok(Some(record)) => {
                    if let Some(answer) = &record.answer
                        && record.state.has_ended()
                    {
                        return of_record(&record, answer, replayed);
                    }
                    let (acting, note) = execution_view::pending(&record);
                    // A stopping process has handed it over: another one continues, and the caller
                    // asks that one.
                    let handed_over = self.engine.stopping() && live.is_none();
                    if acting.is_some() || handed_over || self.clock.now() >= until {
                        return pending(id, acting, note, replayed);
                    }
                }
                Ok(None) => return ToolError::new(ErrorCode::Internal).into(),
                Err(error) if self.clock.now() >= until => {
                    tracing::warn!(%error, execution = %id, "the execution could not be read");
                    return pending(id, None, String::new(), replayed);
                }
                Err(error) => {
                    tracing::warn!(%error, execution = %id, "the execution could not be read")
                }
            }
            let left =
                Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
            match &mut live {
                // Runs here: only its end matters.
                Some(live) => {
                    let nap = self.clock.sleep(left.min(Duration::from_secs(1)));
                    let end = async { while live.changed().await.is_ok() {} };
                    tokio::select! {
                        biased;
                        () = end => {}
                        () = nap => {}
                    }
                }
                // Runs elsewhere, or waits for a worker.
                None => self.clock.sleep(left.min(Duration::from_millis(200))).await,
            }
        }
    }
}

fn mismatch(id: ExecutionId) -> ToolAnswer {
    let details = json!({ "execution_id": id });
    ToolError::with(ErrorCode::IdempotencyMismatch, details).into()
}

fn pending(
    id: ExecutionId,
    next_action_url: Option<String>,
    note: String,
    replayed: bool,
) -> ToolAnswer {
    ToolAnswer::Pending {
        execution_id: id.to_string(),
        next_action_url,
        poll_after_ms: POLL_AFTER_MS,
        note,
        replayed,
    }
}

fn of_record(record: &ExecutionRecord, answer: &Value, replayed: bool) -> ToolAnswer {
    let id = record.id.to_string();
    match engine_conversions::read::<FinalAnswer>(answer) {
        Some(FinalAnswer::ActionNeeded {
            next_action_url,
            note,
        }) => ToolAnswer::Pending {
            execution_id: id,
            next_action_url: Some(next_action_url),
            poll_after_ms: POLL_AFTER_MS,
            note,
            replayed,
        },
        Some(settled) => ToolAnswer::Settled {
            settled,
            execution_id: Some(id),
            replayed,
            repeatable: record.token.is_none(),
        },
        None => {
            tracing::error!(execution = %id, "the stored answer can't be read");
            ToolError::new(ErrorCode::Internal).into()
        }
    }
}
