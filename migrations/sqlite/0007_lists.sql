-- Lists of the newest executions and compensations are read from these alone, however many there are: a page of fifty must not look
-- through all of them for the few of a rare kind.

create index execution_by_state on execution (state, created_at, id);
create index execution_by_saga on execution (saga, state, created_at, id);
create index beside_newest on beside (kind, updated_at, key);
