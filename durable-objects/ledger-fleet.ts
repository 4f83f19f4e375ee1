import type { KnownVehicle } from "../src/areas/transactions/ledger.ts";
import type { Entry } from "../src/areas/transactions/transaction.ts";

type Row = { id: string; version: number; json: string | null; after: number | null };

/** The company's vehicles as the ledger knows them: told of by each vehicle when it changes, and held in memory. */
export class LedgerFleet {
  private readonly sql: SqlStorage;
  private held:
    | {
        vehicles: Map<string, KnownVehicle>;
        plates: Map<string, string>;
        cards: Map<string, string>;
        vins: Map<string, string>;
      }
    | undefined;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec(
      "create table if not exists vehicle (id text primary key, version integer not null, json text, after integer) without rowid",
    );
  }

  /**
   * Takes a vehicle as it is in a version; an older one changes nothing. Lines that nobody owned are looked through again
   * from the beginning. @returns whether it is news
   */
  know(id: string, version: number, vehicle: KnownVehicle | undefined): boolean {
    const [row] = this.sql.exec<Row>("select * from vehicle where id = ?", id).toArray();
    if (row && row.version >= version) return false;
    this.sql.exec(
      "insert or replace into vehicle (id, version, json, after) values (?, ?, ?, ?)",
      id,
      version,
      vehicle ? JSON.stringify(vehicle) : null,
      vehicle ? 0 : null,
    );
    if (this.held) this.hold(id, vehicle);
    return true;
  }

  /** A vehicle for which lines are still looked through, and after which of them. */
  looking(): { id: string; after: number; vehicle: KnownVehicle } | undefined {
    const [row] = this.sql.exec<Row>("select * from vehicle where after is not null limit 1").toArray();
    return row?.json ? { id: row.id, after: row.after!, vehicle: JSON.parse(row.json) } : undefined;
  }

  /** @param after the last line looked at; undefined when there are no more */
  looked(id: string, after: number | undefined): void {
    this.sql.exec("update vehicle set after = ? where id = ?", after ?? null, id);
  }

  byId(id: string | undefined): KnownVehicle | undefined {
    return id === undefined ? undefined : this.all().vehicles.get(id);
  }

  /** The vehicles that a line's plate, card and VIN name. */
  named({ licensePlate, card, vin }: Entry): { byPlate?: KnownVehicle; byCard?: KnownVehicle; byVin?: KnownVehicle } {
    const { plates, cards, vins } = this.all();
    const [byPlate, byCard, byVin] = [
      plates.get(licensePlate ?? ""),
      cards.get(card?.digest ?? ""),
      vins.get(vin ?? ""),
    ].map((id) => this.byId(id));
    return { ...(byPlate && { byPlate }), ...(byCard && { byCard }), ...(byVin && { byVin }) };
  }

  /** A commit did not come about: what the table holds counts. */
  forget(): void {
    this.held = undefined;
  }

  private all() {
    if (this.held) return this.held;
    this.held = { vehicles: new Map(), plates: new Map(), cards: new Map(), vins: new Map() };
    for (const { id, json } of this.sql.exec<Row>("select * from vehicle where json is not null").toArray())
      this.hold(id, JSON.parse(json!));
    return this.held;
  }

  private hold(id: string, vehicle: KnownVehicle | undefined): void {
    const { vehicles, plates, cards, vins } = this.held!;
    const before = vehicles.get(id);
    const drop = (map: Map<string, string>, key: string | undefined) => {
      if (key !== undefined && map.get(key) === id) map.delete(key);
    };
    drop(plates, before?.licensePlate);
    drop(vins, before?.vin);
    for (const card of before?.cards ?? []) drop(cards, card);
    if (!vehicle) {
      vehicles.delete(id);
      return;
    }
    vehicles.set(id, vehicle);
    if (vehicle.licensePlate) plates.set(vehicle.licensePlate, id);
    if (vehicle.vin) vins.set(vehicle.vin, id);
    for (const card of vehicle.cards) cards.set(card, id);
  }
}
