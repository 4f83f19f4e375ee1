-- Narrow rows: what is shown of a thing and what it is found under go into tables of their own, read of a page only, so that
-- many rows can be tested and sorted fast. Beside the cells of a place stand its degrees, which are numbers now, and the days.

create table orders_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into orders_views (row, version, terms, view) select row, version, terms, view from orders;

create table orders_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  orderNumber text not null default '',
  numberKey text not null default '',
  loadingDate text not null default '',
  unloadingDate text not null default '',
  unique (company, id)
);
insert into orders_narrow (row, company, id, version, createdAt, updatedAt, orderNumber, numberKey, loadingDate,
  unloadingDate)
select row, company, id, version, createdAt, updatedAt, coalesce(orderNumber, ''), numberKey, coalesce(loadingDate,
  ''), coalesce(unloadingDate, '') from orders;
drop table orders;
alter table orders_narrow rename to orders;

create index orders_by_createdAt on orders (company, createdAt);
create index orders_by_updatedAt on orders (company, updatedAt, createdAt);
create index orders_by_orderNumber on orders (company, orderNumber, createdAt);
create index orders_by_numberKey on orders (company, numberKey, createdAt);
create index orders_by_loadingDate on orders (company, loadingDate, createdAt);
create index orders_by_unloadingDate on orders (company, unloadingDate, createdAt);

create table freights_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into freights_views (row, version, terms, view) select row, version, terms, view from freights;

create table freights_narrow (
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
  loadingLatitude real,
  loadingLongitude real,
  unloadingLatitude real,
  unloadingLongitude real,
  unique (company, id)
);
insert into freights_narrow (row, company, id, version, createdAt, updatedAt, externalNumber, numberKey, loadingDate,
  unloadingDate, price, archivedAt, dueAt, loadingLatitude, loadingLongitude, unloadingLatitude, unloadingLongitude)
select row, company, id, version, createdAt, updatedAt, externalNumber, numberKey, loadingDate, unloadingDate, price,
  archivedAt, dueAt, nullif(loadingLatitude, ''), nullif(loadingLongitude, ''), nullif(unloadingLatitude, ''),
  nullif(unloadingLongitude, '') from freights;
drop table freights;
alter table freights_narrow rename to freights;

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
-- Who asks for a freight of the board names only the freight.
create index freights_by_id on freights (id);

alter table freights_postings add column loadingDate text;
alter table freights_postings add column unloadingDate text;
alter table freights_postings add column loadingLatitude real;
alter table freights_postings add column loadingLongitude real;
alter table freights_postings add column unloadingLatitude real;
alter table freights_postings add column unloadingLongitude real;
update freights_postings set
  loadingDate = o.loadingDate, unloadingDate = o.unloadingDate, loadingLatitude = o.loadingLatitude,
  loadingLongitude = o.loadingLongitude, unloadingLatitude = o.unloadingLatitude, unloadingLongitude =
  o.unloadingLongitude
from freights o where o.row = freights_postings.row and freights_postings.term glob '*loadingCell:*';

create table offers_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into offers_views (row, version, terms, view) select row, version, terms, view from offers;

create table offers_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
insert into offers_narrow (row, company, id, version, createdAt, updatedAt)
select row, company, id, version, createdAt, updatedAt from offers;
drop table offers;
alter table offers_narrow rename to offers;

create index offers_by_createdAt on offers (company, createdAt);
create index offers_by_updatedAt on offers (company, updatedAt, createdAt);

create table documents_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into documents_views (row, version, terms, view) select row, version, terms, view from documents;

create table documents_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  number text not null default '',
  numberKey text not null default '',
  documentDate text not null default '',
  unique (company, id)
);
insert into documents_narrow (row, company, id, version, createdAt, updatedAt, number, numberKey, documentDate)
select row, company, id, version, createdAt, updatedAt, number, numberKey, documentDate from documents;
drop table documents;
alter table documents_narrow rename to documents;

create index documents_by_createdAt on documents (company, createdAt);
create index documents_by_updatedAt on documents (company, updatedAt, createdAt);
create index documents_by_number on documents (company, number, createdAt);
create index documents_by_numberKey on documents (company, numberKey, createdAt);
create index documents_by_documentDate on documents (company, documentDate, createdAt);

create table driversDocuments_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into driversDocuments_views (row, version, terms, view) select row, version, terms, view from driversDocuments;

create table driversDocuments_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  expiresAt text not null default '',
  dueAt text not null default '',
  unique (company, id)
);
insert into driversDocuments_narrow (row, company, id, version, createdAt, updatedAt, expiresAt, dueAt)
select row, company, id, version, createdAt, updatedAt, expiresAt, dueAt from driversDocuments;
drop table driversDocuments;
alter table driversDocuments_narrow rename to driversDocuments;

create index driversDocuments_by_createdAt on driversDocuments (company, createdAt);
create index driversDocuments_by_updatedAt on driversDocuments (company, updatedAt, createdAt);
create index driversDocuments_by_expiresAt on driversDocuments (company, expiresAt, createdAt);
-- When one of them should have been read, or time alone does something to it; over all companies, as above.
create index driversDocuments_by_due on driversDocuments (dueAt) where dueAt > '';

create table feedback_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into feedback_views (row, version, terms, view) select row, version, terms, view from feedback;

create table feedback_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
insert into feedback_narrow (row, company, id, version, createdAt, updatedAt)
select row, company, id, version, createdAt, updatedAt from feedback;
drop table feedback;
alter table feedback_narrow rename to feedback;

create index feedback_by_createdAt on feedback (company, createdAt);
create index feedback_by_updatedAt on feedback (company, updatedAt, createdAt);

create table opportunities_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into opportunities_views (row, version, terms, view) select row, version, terms, view from opportunities;

create table opportunities_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  externalNumber text not null default '',
  loadingDate text not null default '',
  unloadingDate text not null default '',
  unique (company, id)
);
insert into opportunities_narrow (row, company, id, version, createdAt, updatedAt, externalNumber, loadingDate,
  unloadingDate)
select row, company, id, version, createdAt, updatedAt, externalNumber, loadingDate, unloadingDate from opportunities;
drop table opportunities;
alter table opportunities_narrow rename to opportunities;

create index opportunities_by_createdAt on opportunities (company, createdAt);
create index opportunities_by_updatedAt on opportunities (company, updatedAt, createdAt);
create index opportunities_by_externalNumber on opportunities (company, externalNumber, createdAt);
create index opportunities_by_loadingDate on opportunities (company, loadingDate, createdAt);
create index opportunities_by_unloadingDate on opportunities (company, unloadingDate, createdAt);

create table vehicles_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into vehicles_views (row, version, terms, view) select row, version, terms, view from vehicles;

create table vehicles_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  licensePlate text not null default '',
  availableFrom text not null default '',
  availableTo text not null default '',
  loadingLatitude real,
  loadingLongitude real,
  unique (company, id)
);
insert into vehicles_narrow (row, company, id, version, createdAt, updatedAt, licensePlate, availableFrom,
  availableTo, loadingLatitude, loadingLongitude)
select row, company, id, version, createdAt, updatedAt, licensePlate, availableFrom, availableTo,
  nullif(loadingLatitude, ''), nullif(loadingLongitude, '') from vehicles;
drop table vehicles;
alter table vehicles_narrow rename to vehicles;

create index vehicles_by_createdAt on vehicles (company, createdAt);
create index vehicles_by_updatedAt on vehicles (company, updatedAt, createdAt);
create index vehicles_by_licensePlate on vehicles (company, licensePlate, createdAt);
create index vehicles_by_availableFrom on vehicles (company, availableFrom, createdAt);
create index vehicles_by_availableTo on vehicles (company, availableTo, createdAt);

alter table vehicles_postings add column availableFrom text;
alter table vehicles_postings add column availableTo text;
alter table vehicles_postings add column loadingLatitude real;
alter table vehicles_postings add column loadingLongitude real;
update vehicles_postings set
  availableFrom = o.availableFrom, availableTo = o.availableTo, loadingLatitude = o.loadingLatitude,
  loadingLongitude = o.loadingLongitude
from vehicles o where o.row = vehicles_postings.row and vehicles_postings.term glob '*loadingCell:*';

create table board_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
insert into board_views (row, version, terms, view) select row, version, terms, view from board;

create table board_narrow (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  loadingDate text not null default '',
  unloadingDate text not null default '',
  loadingLatitude real,
  loadingLongitude real,
  unloadingLatitude real,
  unloadingLongitude real,
  unique (company, id)
);
insert into board_narrow (row, company, id, version, createdAt, updatedAt, loadingDate, unloadingDate,
  loadingLatitude, loadingLongitude, unloadingLatitude, unloadingLongitude)
select row, company, id, version, createdAt, updatedAt, loadingDate, unloadingDate, nullif(loadingLatitude, ''),
  nullif(loadingLongitude, ''), nullif(unloadingLatitude, ''), nullif(unloadingLongitude, '') from board;
drop table board;
alter table board_narrow rename to board;

create index board_by_createdAt on board (company, createdAt);
create index board_by_loadingDate on board (company, loadingDate, createdAt);
create index board_by_unloadingDate on board (company, unloadingDate, createdAt);

alter table board_postings add column loadingDate text;
alter table board_postings add column unloadingDate text;
alter table board_postings add column loadingLatitude real;
alter table board_postings add column loadingLongitude real;
alter table board_postings add column unloadingLatitude real;
alter table board_postings add column unloadingLongitude real;
update board_postings set
  loadingDate = o.loadingDate, unloadingDate = o.unloadingDate, loadingLatitude = o.loadingLatitude,
  loadingLongitude = o.loadingLongitude, unloadingLatitude = o.unloadingLatitude, unloadingLongitude =
  o.unloadingLongitude
from board o where o.row = board_postings.row and board_postings.term glob '*loadingCell:*';
