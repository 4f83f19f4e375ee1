import type { D1Database } from "@cloudflare/workers-types";

/** Applies pending migrations in order, each in one transaction. */
export declare function migrate(database: D1Database, directory?: string): Promise<void>;

/** Lists the file names of the migrations in a folder, in order. */
export declare function migrationsIn(directory?: string): string[];
