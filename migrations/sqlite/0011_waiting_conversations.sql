-- A conversation with staff waits from the guest's first unanswered word on, and may be about danger to people.
alter table conversation add column waiting_since integer;
alter table conversation add column emergency integer not null default 0;
update conversation set waiting_since = changed_at where standing = 'staff';
