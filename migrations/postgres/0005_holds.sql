-- What only one process may do at a time: who does it, and until when it is certain that he still does.

create table hold (
    name text not null,
    holder text not null,
    until bigint not null,
    constraint hold_pk primary key (name)
);

-- When a session was last used, to the minute.
alter table session add column last_used_at bigint;
