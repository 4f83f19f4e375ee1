import { expect } from "vitest";
import type { ExtractedItem, ExtractionResult } from "../../src/extraction/document/extraction-result.ts";
import { extractDocument } from "../../src/extraction/extract.ts";
import type { OpportunityView } from "../../src/extraction/kinds/opportunity/view.ts";
import { Budget } from "../../src/extraction/problem.ts";
import { builtGazetteer } from "./extract-text.ts";

/** The day on which the requests are read, which is a Friday. */
export const today = "2026-11-20";

export const company = { names: ["Our Trucks"], vatCodes: ["5260250274"], emailDomains: ["ourtrucks.example"] };

/** Extracts the requests of a text or file. */
export function result(file: string | Uint8Array, name = "note.txt"): Promise<ExtractionResult<OpportunityView>> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  return extractDocument(
    "opportunity",
    { bytes, name },
    { company, today },
    { gazetteer: builtGazetteer(), budget: new Budget(10_000) },
  );
}

/** The requests with their evidence. */
export const items = async (file: string | Uint8Array, name?: string): Promise<ExtractedItem<OpportunityView>[]> =>
  (await result(file, name)).items;

/** The requests alone. */
export const requests = async (file: string | Uint8Array, name?: string) =>
  (await items(file, name)).map(({ data }) => data);

/** The only request of a text. */
export async function request(text: string, name?: string): Promise<OpportunityView> {
  const [first, ...more] = await requests(text, name);
  expect(first).toBeDefined();
  expect(more).toEqual([]);
  return first ?? {};
}

/** Formats the route with one line per stop: type, country, postal code, town and dates. */
export const route = ({ locations = [] }: OpportunityView) =>
  locations
    .map(({ type, address, period }) =>
      [
        type[0],
        address?.countryCode,
        address?.postalCode,
        address?.city,
        [period?.startDate, period?.endDate].filter(Boolean).join("/"),
      ]
        .filter(Boolean)
        .join(" "),
    )
    .join(" > ");
