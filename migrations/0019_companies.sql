-- One row a company, for the operator of the deployment; `company` is `*`, as of rows that belong to no company. Companies
-- that were founded before are known by the audit log, until they change or are read: their names come then.

create table companies (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  unique (company, id)
);
create table companies_views (
  row integer primary key,
  version integer not null,
  terms text not null,
  view text not null
);
create index companies_by_createdAt on companies (company, createdAt);
create index companies_by_updatedAt on companies (company, updatedAt, createdAt);

create table companies_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;

insert or ignore into companies (company, id, version, createdAt, updatedAt)
  select '*', a.company, 0, a.createdAt, a.createdAt from audit_postings p cross join audit a on a.row = p.row
  where p.term = 'operation:companies.create';
insert into companies_views (row, version, terms, view)
  select row, 0, '["status:Active"]', json_object('companyId', id, 'status', 'Active', 'createdAt', createdAt, 'updatedAt', updatedAt)
  from companies;
insert into companies_postings (company, term, createdAt, row)
  select '*', 'status:Active', createdAt, row from companies;
