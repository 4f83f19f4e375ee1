-- What people said of what was read: one row each, and what they are found under. Built as `orders` is.

create table feedback (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index feedback_by_createdAt on feedback (company, createdAt);
create index feedback_by_updatedAt on feedback (company, updatedAt, createdAt);

create table feedback_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
