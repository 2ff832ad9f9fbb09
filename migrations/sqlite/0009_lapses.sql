-- Number of workers in a row that were lost over an execution, and the seq of its last row then: once a row was appended since,
-- the number counts no more. A release that does not know them changes neither, which does no harm.
alter table execution add column lapses integer not null default 0;
alter table execution add column lapsed_seq integer not null default 0;
