-- Lists at any size: postings in the order of creation, words and number parts among them, indexes that end in that order.

alter table orders add column numberKey text not null default '';
alter table orders add column terms text not null default '[]';

drop index orders_by_creation;
drop index orders_by_update;
drop index orders_by_number;
drop index orders_by_loading;
drop index orders_by_unloading;

update orders set
  orderNumber = substr(coalesce(orderNumber, ''), 1, 100),
  numberKey = substr(upper(replace(replace(replace(replace(replace(replace(replace(replace(replace(coalesce(orderNumber, ''),
    ' ', ''), '-', ''), '/', ''), '.', ''), '_', ''), ',', ''), ':', ''), '#', ''), '\', '')), 1, 100),
  loadingDate = coalesce(loadingDate, ''),
  unloadingDate = coalesce(unloadingDate, '');

create index orders_by_createdAt on orders (company, createdAt);
create index orders_by_updatedAt on orders (company, updatedAt, createdAt);
create index orders_by_orderNumber on orders (company, orderNumber, createdAt);
create index orders_by_numberKey on orders (company, numberKey, createdAt);
create index orders_by_loadingDate on orders (company, loadingDate, createdAt);
create index orders_by_unloadingDate on orders (company, unloadingDate, createdAt);

-- What an order is found under, the newest of each term together; "terms" of its row has them as JSON.
create table orders_postings (
  company text not null,
  term text not null,
  createdAt text not null,
  row integer not null,
  primary key (company, term, createdAt, row)
) without rowid;
create index orders_postings_processing on orders_postings (term) where term = 'status:Processing';

insert into orders_postings (company, term, createdAt, row)
select o.company, t.term, o.createdAt, o.row from orders_terms t join orders o on o.company = t.company and o.id = t.id;

-- Until now all of them came from documents.
insert into orders_postings (company, term, createdAt, row) select company, 'kind:Document', createdAt, row from orders;

-- The words of the full text, in plain letters; each row's first word was its company's id.
create virtual table orders_words using fts5vocab (orders_text, 'instance');
insert or ignore into orders_postings (company, term, createdAt, row)
select o.company,
  'word:' || replace(replace(replace(replace(replace(replace(w.term, 'ł', 'l'), 'ø', 'o'), 'đ', 'd'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
  o.createdAt, o.row
from orders_words w join orders o on o.row = w.doc
where w.term <> 'c' || replace(o.company, '-', '');

-- Three letters in a row of each number, its end marked.
insert or ignore into orders_postings (company, term, createdAt, row)
with recursive parts (company, numberKey, createdAt, row, place) as (
  select company, numberKey || '$', createdAt, row, 1 from orders where length(numberKey) >= 2
  union all
  select company, numberKey, createdAt, row, place + 1 from parts where place + 3 <= length(numberKey)
)
select company, 'part:' || substr(numberKey, place, 3), createdAt, row from parts;

update orders set terms = found.terms
from (select row, json_group_array(term) as terms from orders_postings group by row) as found
where found.row = orders.row;

drop table orders_words;
drop table orders_text;
drop table orders_terms;
