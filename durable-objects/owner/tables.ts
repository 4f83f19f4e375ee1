/**
 * The tables an object has, looked up once in each life of it. They are made when something is first written to them: an id
 * that was only asked about has none, and each costs a page of the file and time with the first commit.
 */
export class Tables {
  private readonly storage: DurableObjectStorage;
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

  /** Makes it if need be. Called inside a commit. */
  want(name: string, columns: string): void {
    if (this.has(name)) return;
    this.storage.sql.exec(`create table ${name} ${columns}`);
    this.names!.add(name);
  }

  /** All of it or nothing. */
  together(write: () => void): void {
    try {
      this.storage.transactionSync(write);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** A commit did not come about, or everything is gone. */
  forget(): void {
    this.names = undefined;
  }
}
