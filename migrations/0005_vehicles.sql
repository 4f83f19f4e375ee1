-- Vehicles: where and when they are free, by the clock there, and what they are found under.

create table vehicles (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  licensePlate text not null default '',
  availableFrom text not null default '',
  availableTo text not null default '',
  loadingLatitude text not null default '',
  loadingLongitude text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index vehicles_by_createdAt on vehicles (company, createdAt);
create index vehicles_by_updatedAt on vehicles (company, updatedAt, createdAt);
create index vehicles_by_licensePlate on vehicles (company, licensePlate, createdAt);
create index vehicles_by_availableFrom on vehicles (company, availableFrom, createdAt);
create index vehicles_by_availableTo on vehicles (company, availableTo, createdAt);

create table vehicles_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
