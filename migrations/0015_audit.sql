-- Who has changed what: one row a change, and what it is found under. Built as `orders` is.

create table audit (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
create table audit_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index audit_by_createdAt on audit (company, createdAt);

create table audit_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;

-- Mails that came in: one row each, and what they are found under.

create table mails (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
create table mails_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index mails_by_createdAt on mails (company, createdAt);
create index mails_by_updatedAt on mails (company, updatedAt, createdAt);

create table mails_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;

create index mails_postings_received on mails_postings (term) where term = 'status:Received';

-- What has happened to one thing: it goes with the thing.
create index events_of_resource on events (company, json_extract(event, '$.resource.id'));
