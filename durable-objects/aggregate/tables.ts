/**
 * The tables an object has, looked up once. They are made when something is first written to them: an id that was only asked
 * about has none, and each costs a page of the file and time with the first commit.
 */
export class Tables {
  private readonly storage: DurableObjectStorage;
  private readonly forgetful: (() => void)[] = [];
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

  /** All of it or nothing; in the end what is remembered of the tables is what they hold. */
  together<Result>(write: () => Result): Result {
    try {
      return this.storage.transactionSync(write);
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  /** Who remembers what the tables hold must forget it with them. */
  whenForgotten(forget: () => void): void {
    this.forgetful.push(forget);
  }

  /** A commit did not come about, or everything is gone. */
  forget(): void {
    this.names = undefined;
    for (const forget of this.forgetful) forget();
  }
}
