import * as z from "zod";
import {
  automationStatuses,
  capabilities,
  capabilityCodes,
  trailerTypes,
  vehicleTypes,
} from "../../domain/mappings.ts";
import { listOf, pageParameters } from "../../platform/list-parameters.ts";
import { operationsOn } from "../../http/operation.ts";
import { paginate } from "../../http/paginate.ts";
import { Problem } from "../../platform/problem.ts";

const Mapping = z
  .object({
    name: z.string(),
    description: z.string(),
    entries: z.array(
      z.object({
        id: z.number().int().describe("Never reused."),
        name: z.string(),
        code: z.string().optional().describe("Used by vehicles instead of the number."),
      }),
    ),
  })
  .meta({ id: "Mapping" });
type Mapping = z.output<typeof Mapping>;

type Table = Readonly<Record<number, string>>;

const mapping = (name: string, description: string, table: Table, codes?: Table): Mapping => ({
  name,
  description,
  entries: Object.entries(table).map(([id, label]) => ({
    id: Number(id),
    name: label,
    ...(codes?.[Number(id)] && { code: codes[Number(id)]! }),
  })),
});

const mappings = [
  mapping("trailerTypes", "Freights and vehicles use the number, orders the number as text.", trailerTypes),
  mapping("vehicleTypes", "The vehicle that pulls or carries the load.", vehicleTypes),
  mapping("capabilities", "Freights use the numbers, vehicles the codes.", capabilities, capabilityCodes),
  mapping("automationStatuses", "Status of an automation.", automationStatuses),
];

export const events = {};

const { get } = operationsOn({ binding: "COMPANIES", scope: "fleet" });

const [vehicleTypesExample] = mappings.filter(({ name }) => name === "vehicleTypes");

const compared = (name: string) => name.toLowerCase().replace(/[-_]/g, "");

export const operations = {
  list: get("/api/v1/mappings", {
    summary: "List the tables of numbers",
    description: "The same for all companies; no key is required. Tolerate unknown entries: more may be added.",
    access: "public",
    query: z.object(pageParameters),
    ok: listOf(Mapping),
    example: { reply: { items: [vehicleTypesExample] } },
    handle: async ({ query }) => paginate(mappings, { ...query, list: "mappings", sort: "name", id: "name" }),
  }),

  read: get("/api/v1/mappings/:name", {
    summary: "Read a table of numbers",
    access: "public",
    ok: Mapping,
    refuses: ["not_found"],
    example: { params: { name: "vehicleTypes" }, reply: vehicleTypesExample },
    async handle({ params }) {
      const table = mappings.find(({ name }) => compared(name) === compared(params.name));
      if (!table)
        throw new Problem(
          "not_found",
          `The table does not exist. The tables are ${mappings.map(({ name }) => name).join(", ")}.`,
        );
      return table;
    },
  }),
};
