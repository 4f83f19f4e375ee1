-- Reference rates of currencies, the same for every company: one row a day and source. `rates` is a JSON object of how many
-- units of the second currency one unit of the first is worth: {"EUR/PLN": 4.2512}.

create table exchange_rates (
  source text not null,
  date text not null,
  rates text not null,
  primary key (source, date)
) without rowid;
create index exchange_rates_by_date on exchange_rates (date);

-- When a source was last asked, so that of all requests and rounds one asks it. `failure` is JSON: how it failed, or "Pending".
create table exchange_rate_requests (
  source text primary key,
  requestedAt text not null,
  failure text
) without rowid;
