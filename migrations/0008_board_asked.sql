-- Who asks for a freight of the board names only the freight.

create index freights_by_id on freights (id);
