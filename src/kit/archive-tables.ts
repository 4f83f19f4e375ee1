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
  feedback: [],
  opportunities: ["externalNumber", "loadingDate", "unloadingDate"],
  audit: [],
  automations: ["dueAt"],
  mails: [],
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

const bothEnds = [
  "loadingDate",
  "unloadingDate",
  "loadingLatitude",
  "loadingLongitude",
  "unloadingLatitude",
  "unloadingLongitude",
] as const;

/** Columns that stand again beside each cell a row is found under, so that whoever looks there needs no row. */
const besideCells: Partial<Record<ArchiveTable, readonly string[]>> = {
  freights: bothEnds,
  vehicles: ["availableFrom", "availableTo", "loadingLatitude", "loadingLongitude"],
  board: bothEnds,
};

export const columnsBesideCells = (table: ArchiveTable): readonly string[] => besideCells[table] ?? [];

/** Tables whose rows have others beside them, and where. */
export const besides: [ArchiveTable, ArchiveTable][] = [["freights", "board"]];
