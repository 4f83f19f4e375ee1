-- Invoices, receipts, CMR notes, fines and policies: one row each, and what they are found under. Built as `orders` is.

create table documents (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  number text not null default '',
  numberKey text not null default '',
  documentDate text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index documents_by_createdAt on documents (company, createdAt);
create index documents_by_updatedAt on documents (company, updatedAt, createdAt);
create index documents_by_number on documents (company, number, createdAt);
create index documents_by_numberKey on documents (company, numberKey, createdAt);
create index documents_by_documentDate on documents (company, documentDate, createdAt);

create table documents_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
create index documents_postings_processing on documents_postings (term) where term = 'status:Processing';
