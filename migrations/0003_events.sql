-- Everything that has happened, company by company, in the order it was written down here: what `GET /events` shows and
-- what a webhook is replayed from. Kept for 30 days.

create table events (
  position integer primary key autoincrement,
  id text not null unique,
  company text not null,
  type text not null,
  createdAt text not null,
  event text not null
);
create index events_of_company on events (company, position);
create index events_by_time on events (createdAt);
