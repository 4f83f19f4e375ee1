-- Companies that handed in a file of transactions, and when they last did: the sweep asks their ledgers once whether it was
-- read to its end.

create table imports (
  company text primary key,
  since text not null
) without rowid;
create index imports_by_since on imports (since);
