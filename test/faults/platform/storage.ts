import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** The persistent part of an object: database, values, alarm. */
export class Disk {
  readonly db = new DatabaseSync(":memory:");
  readonly values = new Map<string, unknown>();
  private readonly statements = new Map<string, StatementSync>();
  alarm: number | null = null;
  /** Number of storage calls by all instances of the object. */
  calls = 0;

  statement(query: string): StatementSync {
    const known = this.statements.get(query);
    if (known) return known;
    const made = this.db.prepare(query);
    this.statements.set(query, made);
    return made;
  }
}

/**
 * The storage of one life of an object, which is the time during which one instance runs. When the life has ended,
 * calls have no effect: writes are lost, and an open transaction is rolled back. Outside a transaction, a life can end
 * between any two statements. The platform is less strict, because it commits all writes between two awaits together.
 */
export class LifeStorage {
  isOver = false;
  /** The life ends after this many more calls. */
  endsAfter = Infinity;
  /** Whether every read and write throws. Alarms can still be set. */
  isBroken = false;
  private readonly disk: Disk;
  private depth = 0;
  private readonly alarmSet: (at: number | null) => void;

  constructor(disk: Disk, alarmSet: (at: number | null) => void) {
    this.disk = disk;
    this.alarmSet = alarmSet;
  }

  readonly sql = {
    exec: (query: string, ...bindings: unknown[]) => {
      const rows = this.called(() => this.run(query, bindings), []);
      return {
        [Symbol.iterator]: () => rows[Symbol.iterator](),
        toArray: () => rows,
        one: () => {
          if (rows.length !== 1 && !this.isOver) throw new Error(`${rows.length} rows: ${query}`);
          return rows[0] ?? {};
        },
      };
    },
  };

  readonly kv = {
    get: (key: string) => this.called(() => structuredClone(this.disk.values.get(key)), undefined),
    put: (key: string, value: unknown) => this.called(() => this.write(key, structuredClone(value)), undefined),
    delete: (key: string) => this.called(() => this.write(key, undefined), undefined),
  };

  transactionSync<Result>(run: () => Result): Result {
    if (this.isOver || this.depth > 0) return run();
    const values = new Map(this.disk.values);
    this.disk.db.exec("begin");
    this.depth++;
    try {
      const result = run();
      this.disk.db.exec(this.isOver ? "rollback" : "commit");
      if (this.isOver) this.restore(values);
      return result;
    } catch (error) {
      this.disk.db.exec("rollback");
      this.restore(values);
      throw error;
    } finally {
      this.depth--;
    }
  }

  sync = async () => undefined;

  getAlarm = async () => this.disk.alarm;

  setAlarm = async (at: number) => this.counted(() => this.setTo(at), undefined);

  deleteAlarm = async () => this.counted(() => this.setTo(null), undefined);

  deleteAll = async () =>
    this.called(() => {
      const tables = this.disk.db.prepare(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
      );
      for (const { name } of tables.all()) this.disk.db.exec(`drop table ${String(name)}`);
      this.disk.values.clear();
      this.setTo(null);
    }, undefined);

  private setTo(at: number | null): void {
    this.disk.alarm = at;
    this.alarmSet(at);
  }

  private called<Result>(run: () => Result, afterwards: Result): Result {
    return this.counted(() => {
      if (this.isBroken) throw new Error("The storage is broken.");
      return run();
    }, afterwards);
  }

  private counted<Result>(run: () => Result, afterwards: Result): Result {
    this.disk.calls++;
    if (--this.endsAfter < 0) this.isOver = true;
    return this.isOver ? afterwards : run();
  }

  private run(query: string, bindings: unknown[]): Record<string, unknown>[] {
    if (bindings.length > 0 || !/;\s*\S/.test(query))
      return this.disk.statement(query).all(...(bindings as SQLInputValue[]));
    this.disk.db.exec(query);
    return [];
  }

  private write(key: string, value: unknown): void {
    if (value === undefined) this.disk.values.delete(key);
    else this.disk.values.set(key, value);
  }

  private restore(values: Map<string, unknown>): void {
    this.disk.values.clear();
    for (const [key, value] of values) this.disk.values.set(key, value);
  }
}
