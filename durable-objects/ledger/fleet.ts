import type { LedgerVehicle } from "../../src/areas/transactions/ledger.ts";
import type { Entry } from "../../src/areas/transactions/model.ts";

type Row = { id: string; version: number; json: string | null; after: number | null };

interface Held {
  vehicles: Map<string, LedgerVehicle>;
  plates: Holders;
  cards: Holders;
  vins: Holders;
}

/**
 * Ids of the vehicles by plate, by card or by VIN. If several vehicles have the same plate, card or VIN, the newest
 * vehicle counts.
 */
class Holders {
  private readonly ids = new Map<string, string[]>();

  of(name: string | undefined): string | undefined {
    return name === undefined ? undefined : this.ids.get(name)?.at(-1);
  }

  /** Ids sort by creation time, so the last one is the newest. */
  add(name: string | undefined, id: string): void {
    if (name) this.ids.set(name, [...(this.ids.get(name) ?? []), id].sort());
  }

  drop(name: string | undefined, id: string): void {
    const left = name === undefined ? [] : (this.ids.get(name) ?? []).filter((one) => one !== id);
    if (left.length > 0) this.ids.set(name!, left);
    else if (name !== undefined) this.ids.delete(name);
  }
}

/** The ledger's copies of the company's vehicles: updated whenever a vehicle changes, and cached in memory. */
export class LedgerFleet {
  private readonly sql: SqlStorage;
  private held: Held | undefined;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  createTables(): void {
    this.sql.exec(`
      create table if not exists vehicle (id text primary key, version integer not null, json text, after integer) without rowid;
      create index if not exists vehicle_looking on vehicle (id) where after is not null;`);
  }

  /**
   * Stores a version of a vehicle; an older version changes nothing. All unmatched lines are then compared with the
   * vehicle again.
   * @returns whether the version is new
   */
  upsert(id: string, version: number, vehicle: LedgerVehicle | undefined): boolean {
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

  /** Finds a vehicle that is not yet compared with all unmatched lines, and the row of the last compared line. */
  pendingRematch(): { id: string; after: number; vehicle: LedgerVehicle } | undefined {
    const [row] = this.sql
      .exec<Row>("select * from vehicle indexed by vehicle_looking where after is not null limit 1")
      .toArray();
    return row?.json ? { id: row.id, after: row.after!, vehicle: JSON.parse(row.json) } : undefined;
  }

  /**
   * Stores how far a vehicle has been compared with the unmatched lines.
   * @param after row of the last compared line; undefined if all are compared
   */
  recordRematch(id: string, after: number | undefined): void {
    this.sql.exec("update vehicle set after = ? where id = ?", after ?? null, id);
  }

  byId(id: string | undefined): LedgerVehicle | undefined {
    return id === undefined ? undefined : this.all().vehicles.get(id);
  }

  named({ licensePlate, card, vin }: Entry): {
    byPlate?: LedgerVehicle;
    byCard?: LedgerVehicle;
    byVin?: LedgerVehicle;
  } {
    const { plates, cards, vins, vehicles } = this.all();
    const byPlate = vehicles.get(plates.of(licensePlate) ?? "");
    const byCard = vehicles.get(cards.of(card?.digest) ?? "");
    const byVin = vehicles.get(vins.of(vin) ?? "");
    return { ...(byPlate && { byPlate }), ...(byCard && { byCard }), ...(byVin && { byVin }) };
  }

  vehicles(): { id: string; vehicle: LedgerVehicle }[] {
    return [...this.all().vehicles].map(([id, vehicle]) => ({ id, vehicle }));
  }

  /** Returns all normalized plates, with the ids of their vehicles. */
  plates(): [plate: string, id: string][] {
    return this.vehicles().flatMap(({ id, vehicle: { licensePlate } }) => (licensePlate ? [[licensePlate, id]] : []));
  }

  /** Replaces the stored data of a vehicle without a new version. */
  rewrite(id: string, vehicle: LedgerVehicle): void {
    this.sql.exec("update vehicle set json = ? where id = ?", JSON.stringify(vehicle), id);
    this.forget();
  }

  forget(): void {
    this.held = undefined;
  }

  private all(): Held {
    if (this.held) return this.held;
    this.held = { vehicles: new Map(), plates: new Holders(), cards: new Holders(), vins: new Holders() };
    for (const { id, json } of this.sql.exec<Row>("select * from vehicle where json is not null").toArray())
      this.hold(id, JSON.parse(json!));
    return this.held;
  }

  private hold(id: string, vehicle: LedgerVehicle | undefined): void {
    const { vehicles, plates, cards, vins } = this.held!;
    const before = vehicles.get(id);
    plates.drop(before?.licensePlate, id);
    vins.drop(before?.vin, id);
    for (const card of before?.cards ?? []) cards.drop(card, id);
    vehicles.delete(id);
    if (!vehicle) return;
    vehicles.set(id, vehicle);
    plates.add(vehicle.licensePlate, id);
    vins.add(vehicle.vin, id);
    for (const card of vehicle.cards) cards.add(card, id);
  }
}
