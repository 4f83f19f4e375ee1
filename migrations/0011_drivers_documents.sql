-- Documents of drivers: one row each, and what they are found under. Built as `orders` is.

create table driversDocuments (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  expiresAt text not null default '',
  dueAt text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index driversDocuments_by_createdAt on driversDocuments (company, createdAt);
create index driversDocuments_by_updatedAt on driversDocuments (company, updatedAt, createdAt);
create index driversDocuments_by_expiresAt on driversDocuments (company, expiresAt, createdAt);
-- When one of them should have been read, or time alone does something to it; over all companies, for whoever looks after lost alarms.
create index driversDocuments_by_due on driversDocuments (dueAt) where dueAt > '';

create table driversDocuments_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
