/** Tables of the archive, with the columns of their own. `numberKey` is the tight number that patterns are compared with. */
export const archiveTables = {
  orders: ["orderNumber", "numberKey", "loadingDate", "unloadingDate"],
  freights: [
    "externalNumber",
    "numberKey",
    "loadingDate",
    "unloadingDate",
    "price",
    "archivedAt",
    "dueAt",
    "loadingLatitude",
    "loadingLongitude",
    "unloadingLatitude",
    "unloadingLongitude",
  ],
  offers: [],
  documents: ["number", "numberKey", "documentDate"],
  driversDocuments: ["expiresAt", "dueAt"],
  quality: [],
  documentCollections: [],
  feedback: [],
  opportunities: ["externalNumber", "loadingDate", "unloadingDate"],
  audit: [],
  automations: ["dueAt"],
  mails: [],
  companies: [],
  vehicles: ["licensePlate", "availableFrom", "availableTo", "loadingLatitude", "loadingLongitude"],
  board: [
    "loadingDate",
    "unloadingDate",
    "loadingLatitude",
    "loadingLongitude",
    "unloadingLatitude",
    "unloadingLongitude",
  ],
} as const satisfies Record<string, readonly string[]>;
export type ArchiveTable = keyof typeof archiveTables;

const days = ["loadingDate", "unloadingDate"] as const;
const loadingDegrees = ["loadingLatitude", "loadingLongitude"] as const;
const bothDegrees = [...loadingDegrees, "unloadingLatitude", "unloadingLongitude"] as const;

/**
 * Columns that stand again beside the terms a row is found under, so that whoever looks there needs no row: what lists are
 * sorted and ranged by, unless it changes often.
 */
const besideTerms: Partial<Record<ArchiveTable, readonly string[]>> = {
  orders: ["orderNumber", ...days],
  freights: ["externalNumber", ...days, "archivedAt"],
  documents: ["number", "documentDate"],
  driversDocuments: ["expiresAt"],
  opportunities: ["externalNumber", ...days],
  vehicles: ["licensePlate", "availableFrom", "availableTo"],
  board: days,
};

/** The same of the cells of a place only: its degrees. */
const besideCells: Partial<Record<ArchiveTable, readonly string[]>> = {
  freights: bothDegrees,
  vehicles: loadingDegrees,
  board: bothDegrees,
};

/** Terms a row has so many of that nothing stands beside them: words, parts of its number, days, cells it can reach. */
export const bareTerms = ["word", "part", "carrierWord", "free", "reach"] as const;

export const columnsBesideTerms = (table: ArchiveTable): readonly string[] => besideTerms[table] ?? [];
export const columnsBesideCells = (table: ArchiveTable): readonly string[] => besideCells[table] ?? [];

/** Tables whose rows have others beside them, and where. */
export const companionTables: [ArchiveTable, ArchiveTable][] = [["freights", "board"]];
