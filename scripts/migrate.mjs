import { existsSync, readdirSync, readFileSync } from "node:fs";

const { unstable_splitSqlQuery: statementsOf } = await import("wrangler");

const ledger =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

/** Applies pending migrations in order, each in one transaction, and records them as wrangler does. */
export async function migrate(database, directory = "migrations") {
  await database.prepare(ledger).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(({ name }) => name));
  for (const file of migrationsIn(directory).filter((name) => !applied.has(name))) {
    const statements = statementsOf(readFileSync(`${directory}/${file}`, "utf8")).map((sql) => database.prepare(sql));
    await database.batch([...statements, database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file)]);
  }
}

/** Lists the file names of the migrations in a folder, in order. */
export const migrationsIn = (directory = "migrations") =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((file) => file.endsWith(".sql"))
        .sort()
    : [];
