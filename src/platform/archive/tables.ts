/** Tables of the archive with their columns. Patterns are compared with the normalized number in `numberKey`. */
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
 * Columns that the postings of a row repeat, so that a search by term need not read the row: those by which lists sort
 * and filter, unless they change often.
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

/** Coordinates, which only the postings of cells repeat. */
const besideCells: Partial<Record<ArchiveTable, readonly string[]>> = {
  freights: bothDegrees,
  vehicles: loadingDegrees,
  board: bothDegrees,
};

/**
 * Terms that are too numerous per row to repeat columns: words, parts of numbers, days on which a vehicle is available,
 * and cells within its reach.
 */
export const bareTerms = ["word", "part", "carrierWord", "free", "reach"] as const;

export const columnsBesideTerms = (table: ArchiveTable): readonly string[] => besideTerms[table] ?? [];
export const columnsBesideCells = (table: ArchiveTable): readonly string[] => besideCells[table] ?? [];

/** Rows of the first table have companion rows in the second. */
export const companionTables: [ArchiveTable, ArchiveTable][] = [["freights", "board"]];
