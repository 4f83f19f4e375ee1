-- Automations: one row each, and what they are found under. Built as `orders` is.

create table automations (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  dueAt text not null default '',
  unique (company, id)
);
create table automations_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index automations_by_createdAt on automations (company, createdAt);
create index automations_by_updatedAt on automations (company, updatedAt, createdAt);
-- When one of them should have come to its end, or a deadline is near; over all companies, for whoever looks after lost alarms.
create index automations_by_due on automations (dueAt) where dueAt > '';

create table automations_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
