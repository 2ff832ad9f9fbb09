-- Number of workers in a row that were lost over an execution, and the seq of its last row then: once a row was appended since,
-- the number counts no more. A release that does not know them changes neither, which does no harm.
alter table execution add column lapses bigint not null default 0, add column lapsed_seq bigint not null default 0;
