-- Beside what a row is found under stands what lists are sorted and ranged by, so that the rows of a customer are put in the
-- order of their numbers without fetching one. Beside words, parts of numbers, days and cells in reach, of which a row has
-- many, stands nothing. A statement has 30 seconds on D1: where tables grow long, each goes over a fourth of the rows.

alter table orders_postings add column orderNumber text;
alter table orders_postings add column loadingDate text;
alter table orders_postings add column unloadingDate text;
update orders_postings set orderNumber = o.orderNumber, loadingDate = o.loadingDate, unloadingDate = o.unloadingDate
from orders o where o.row = orders_postings.row and orders_postings.row % 4 = 0
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update orders_postings set orderNumber = o.orderNumber, loadingDate = o.loadingDate, unloadingDate = o.unloadingDate
from orders o where o.row = orders_postings.row and orders_postings.row % 4 = 1
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update orders_postings set orderNumber = o.orderNumber, loadingDate = o.loadingDate, unloadingDate = o.unloadingDate
from orders o where o.row = orders_postings.row and orders_postings.row % 4 = 2
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update orders_postings set orderNumber = o.orderNumber, loadingDate = o.loadingDate, unloadingDate = o.unloadingDate
from orders o where o.row = orders_postings.row and orders_postings.row % 4 = 3
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

alter table freights_postings add column externalNumber text;
alter table freights_postings add column archivedAt text;
update freights_postings set externalNumber = o.externalNumber, archivedAt = o.archivedAt, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from freights o where o.row = freights_postings.row and freights_postings.row % 4 = 0
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update freights_postings set externalNumber = o.externalNumber, archivedAt = o.archivedAt, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from freights o where o.row = freights_postings.row and freights_postings.row % 4 = 1
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update freights_postings set externalNumber = o.externalNumber, archivedAt = o.archivedAt, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from freights o where o.row = freights_postings.row and freights_postings.row % 4 = 2
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update freights_postings set externalNumber = o.externalNumber, archivedAt = o.archivedAt, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from freights o where o.row = freights_postings.row and freights_postings.row % 4 = 3
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

alter table documents_postings add column number text;
alter table documents_postings add column documentDate text;
update documents_postings set number = o.number, documentDate = o.documentDate
from documents o where o.row = documents_postings.row and documents_postings.row % 4 = 0
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update documents_postings set number = o.number, documentDate = o.documentDate
from documents o where o.row = documents_postings.row and documents_postings.row % 4 = 1
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update documents_postings set number = o.number, documentDate = o.documentDate
from documents o where o.row = documents_postings.row and documents_postings.row % 4 = 2
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update documents_postings set number = o.number, documentDate = o.documentDate
from documents o where o.row = documents_postings.row and documents_postings.row % 4 = 3
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

alter table driversDocuments_postings add column expiresAt text;
update driversDocuments_postings set expiresAt = o.expiresAt
from driversDocuments o where o.row = driversDocuments_postings.row
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

alter table opportunities_postings add column externalNumber text;
alter table opportunities_postings add column loadingDate text;
alter table opportunities_postings add column unloadingDate text;
update opportunities_postings set externalNumber = o.externalNumber, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from opportunities o where o.row = opportunities_postings.row and opportunities_postings.row % 4 = 0
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update opportunities_postings set externalNumber = o.externalNumber, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from opportunities o where o.row = opportunities_postings.row and opportunities_postings.row % 4 = 1
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update opportunities_postings set externalNumber = o.externalNumber, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from opportunities o where o.row = opportunities_postings.row and opportunities_postings.row % 4 = 2
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
update opportunities_postings set externalNumber = o.externalNumber, loadingDate = o.loadingDate,
  unloadingDate = o.unloadingDate
from opportunities o where o.row = opportunities_postings.row and opportunities_postings.row % 4 = 3
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

alter table vehicles_postings add column licensePlate text;
update vehicles_postings set licensePlate = o.licensePlate, availableFrom = o.availableFrom,
  availableTo = o.availableTo
from vehicles o where o.row = vehicles_postings.row
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');

update board_postings set loadingDate = o.loadingDate, unloadingDate = o.unloadingDate
from board o where o.row = board_postings.row
  and substr(term, 1, instr(term, ':') - 1) not in ('word', 'part', 'carrierWord', 'free', 'reach');
