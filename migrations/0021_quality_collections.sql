-- Verdicts on how well files can be read: one row each, and what they are found under. Built as `orders` is. Those of earlier releases
-- get their row with their next change.

create table quality (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
create table quality_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index quality_by_createdAt on quality (company, createdAt);
create index quality_by_updatedAt on quality (company, updatedAt, createdAt);

create table quality_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;

-- Piles of scans: one row each, and what they are found under. Built as `orders` is. Those of earlier releases
-- get their row with their next change.

create table documentCollections (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
create table documentCollections_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index documentCollections_by_createdAt on documentCollections (company, createdAt);
create index documentCollections_by_updatedAt on documentCollections (company, updatedAt, createdAt);

create table documentCollections_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
