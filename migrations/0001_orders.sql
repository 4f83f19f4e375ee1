-- The archive: what is searched and listed. The objects hold the truth, this follows them.

create table orders (
  row integer primary key,
  company text not null,
  id text not null,
  version integer not null,
  createdAt text not null,
  updatedAt text not null,
  orderNumber text,
  loadingDate text,
  unloadingDate text,
  view text not null,
  unique (company, id)
);
create index orders_by_creation on orders (company, coalesce(createdAt, ''), id);
create index orders_by_update on orders (company, coalesce(updatedAt, ''), id);
create index orders_by_number on orders (company, coalesce(orderNumber, ''), id);
create index orders_by_loading on orders (company, coalesce(loadingDate, ''), id);
create index orders_by_unloading on orders (company, coalesce(unloadingDate, ''), id);

-- Exact terms an order is found under: its status, numbers, plates, countries.
create table orders_terms (
  company text not null,
  term text not null,
  id text not null,
  primary key (company, term, id)
) without rowid;
create index orders_terms_by_order on orders_terms (company, id);
create index orders_terms_processing on orders_terms (company, id) where term = 'status:Processing';

-- Full text; the rowid is the order's row.
create virtual table orders_text using fts5 (words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");
