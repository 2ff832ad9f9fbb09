-- Lists of the newest executions and compensations are read from these alone, however many there are: a page of fifty must not look
-- through all of them for the few of a rare kind.

create index execution_by_state on execution (state, created_at, id);
create index execution_by_saga on execution (saga, state, created_at, id);
create index beside_newest on beside (kind, updated_at, key);

-- Ids begin with their moment, so that these are in the order of lists. On SQLite the old index holds the execution by itself.
create index label_newest on label (name, value, execution);
drop index label_value;
