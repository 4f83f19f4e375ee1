import type { D1Database } from "@cloudflare/workers-types";

/** Applies the migrations of a folder that the database has not seen, in order, each in one transaction. */
export declare function migrate(database: D1Database, directory?: string): Promise<void>;

/** The names of a folder's migrations, in order. */
export declare function migrationsIn(directory?: string): string[];
