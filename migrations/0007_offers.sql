-- Offers for freights: one row each, and what they are found under. Built as `orders` is.

create table offers (
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
create index offers_by_createdAt on offers (company, createdAt);
create index offers_by_updatedAt on offers (company, updatedAt, createdAt);

create table offers_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
