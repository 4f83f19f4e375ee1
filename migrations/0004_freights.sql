-- Freights, live and no longer live: one row each, and what they are found under. Built as `orders` is.

create table freights (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  externalNumber text not null default '',
  numberKey text not null default '',
  loadingDate text not null default '',
  unloadingDate text not null default '',
  price text not null default '',
  archivedAt text not null default '',
  dueAt text not null default '',
  loadingLatitude text not null default '',
  loadingLongitude text not null default '',
  unloadingLatitude text not null default '',
  unloadingLongitude text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index freights_by_createdAt on freights (company, createdAt);
create index freights_by_updatedAt on freights (company, updatedAt, createdAt);
create index freights_by_externalNumber on freights (company, externalNumber, createdAt);
create index freights_by_numberKey on freights (company, numberKey, createdAt);
create index freights_by_loadingDate on freights (company, loadingDate, createdAt);
create index freights_by_unloadingDate on freights (company, unloadingDate, createdAt);
create index freights_by_price on freights (company, price, createdAt);
create index freights_by_archivedAt on freights (company, archivedAt, createdAt);
-- When time alone does something to a freight; over all companies, for whoever looks after lost alarms.
create index freights_by_due on freights (dueAt) where dueAt > '';

create table freights_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
