/**
 * The tables of a Durable Object, looked up once. A table is created by the first write to it, because each table costs
 * a page of the file and time in the first commit. An object that is only read needs no tables.
 */
export class Tables {
  private readonly storage: DurableObjectStorage;
  private readonly resetListeners: (() => void)[] = [];
  private names: Set<string> | undefined;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
  }

  has(name: string): boolean {
    this.names ??= new Set(
      this.storage.sql
        .exec<{ name: string }>("select name from sqlite_master where type = 'table'")
        .toArray()
        .map((table) => table.name),
    );
    return this.names.has(name);
  }

  /** Creates the table if it does not exist. Must be called inside a commit. */
  ensure(name: string, columns: string): void {
    if (this.has(name)) return;
    this.storage.sql.exec(`create table ${name} ${columns}`);
    this.names!.add(name);
  }

  /** Runs a transaction. If it fails, all caches of the tables are reset. */
  transaction<Result>(write: () => Result): Result {
    try {
      return this.storage.transactionSync(write);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  onReset(reset: () => void): void {
    this.resetListeners.push(reset);
  }

  /** Resets all caches: called after a failed transaction and after all data was deleted. */
  forget(): void {
    this.names = undefined;
    for (const forget of this.resetListeners) forget();
  }
}
