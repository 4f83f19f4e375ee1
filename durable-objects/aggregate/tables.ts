/**
 * The tables of an object, looked up once. A table is created with the first write to it: an id that was only read has none,
 * and each costs a page of the file and time with the first commit.
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

  /** Creates the table if it does not exist. Called inside a commit. */
  ensure(name: string, columns: string): void {
    if (this.has(name)) return;
    this.storage.sql.exec(`create table ${name} ${columns}`);
    this.names!.add(name);
  }

  /** Runs a transaction; when it fails, everything that mirrors the tables in memory is reset. */
  transaction<Result>(write: () => Result): Result {
    try {
      return this.storage.transactionSync(write);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** Registers a mirror of the tables in memory that is to be reset with them. */
  onReset(reset: () => void): void {
    this.resetListeners.push(reset);
  }

  /** A commit failed, or everything was deleted. */
  forget(): void {
    this.names = undefined;
    for (const forget of this.resetListeners) forget();
  }
}
