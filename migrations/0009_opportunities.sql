-- Requests for quotes: one row each, and what they are found under. Built as `orders` is.

create table opportunities (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  externalNumber text not null default '',
  loadingDate text not null default '',
  unloadingDate text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index opportunities_by_createdAt on opportunities (company, createdAt);
create index opportunities_by_updatedAt on opportunities (company, updatedAt, createdAt);
create index opportunities_by_externalNumber on opportunities (company, externalNumber, createdAt);
create index opportunities_by_loadingDate on opportunities (company, loadingDate, createdAt);
create index opportunities_by_unloadingDate on opportunities (company, unloadingDate, createdAt);

create table opportunities_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
create index opportunities_postings_processing on opportunities_postings (term) where term = 'status:Processing';
