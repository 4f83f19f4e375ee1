-- The public board: the open freights of all companies that publish there, as everyone may see them.

create table board (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  loadingDate text not null default '',
  unloadingDate text not null default '',
  loadingLatitude text not null default '',
  loadingLongitude text not null default '',
  unloadingLatitude text not null default '',
  unloadingLongitude text not null default '',
  terms text not null default '[]',
  view text not null,
  unique (company, id)
);
create index board_by_createdAt on board (company, createdAt);
create index board_by_loadingDate on board (company, loadingDate, createdAt);
create index board_by_unloadingDate on board (company, unloadingDate, createdAt);

create table board_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
