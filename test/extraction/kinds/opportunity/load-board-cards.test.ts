import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";
import { toPng } from "../../../../training/scans/png.ts";
import { seenIn } from "../../../support/scans/recognised-text.ts";

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

const card = (from: string, to: string, ...beside: string[]) => [
  `L-48RT77QX                         ${beside[0] ?? ""}`,
  "",
  `QRM2 ${from}            ${beside[1] ?? ""}`,
  `Tue, Oct 6, 07:15 EDT              ${beside[2] ?? ""}`,
  "",
  `VNP7 ${to}`,
  "Wed, Oct 7, 19:40 EDT",
  "",
  beside[3] ?? "",
];

function read(kind: "order" | "opportunity", lines: readonly string[]) {
  const seen = seenIn(lines);
  const bytes = toPng({ width: 1500, height: 900, gray: new Uint8Array(1500 * 900).fill(255) });
  const company = { names: [], vatCodes: [], emailDomains: [] };
  const tools = { gazetteer, budget: new Budget(20_000), recognise: async () => seen };
  return extractDocument(kind, { bytes, name: "screen.png" }, { company, today: "2026-09-20" }, tools);
}

describe("a load board card without names and labels", () => {
  test.for([
    [
      card(
        "TOLEDO, Ohio 43612",
        "Lexington, Kentucky 40511",
        "Starts in 4h",
        "301 mi",
        "53' Trailer",
        "$812.40  $2.70/mi",
      ),
      [
        { type: "Loading", countryCode: "US", postalCode: "43612", city: "TOLEDO" },
        { type: "Unloading", countryCode: "US", postalCode: "40511", city: "Lexington" },
      ],
    ],
    [
      card("Boise, ID 83705", "SPOKANE, Washington 99202", "", "", "Reefer", "$1,120.00  $3.02/mi"),
      [
        { type: "Loading", countryCode: "US", postalCode: "83705", city: "Boise" },
        { type: "Unloading", countryCode: "US", postalCode: "99202", city: "SPOKANE" },
      ],
    ],
    [
      card("04158 Leipzig", "53-609 Wrocław", "", "368 km", "Tautliner", "780 EUR"),
      [
        { type: "Loading", countryCode: "DE", postalCode: "04158", city: "Leipzig" },
        { type: "Unloading", countryCode: "PL", postalCode: "53-609", city: "Wrocław" },
      ],
    ],
  ] as const)("yields its two places: %#", async ([lines, locations]) => {
    const [order, request] = [await read("order", lines), await read("opportunity", lines)];
    expect(order.items.map(({ data }) => data)).toMatchObject([{ locations }]);
    expect(JSON.stringify(order.items)).not.toContain("/name");
    const addresses = locations.map(({ type, ...address }) => ({ type, address }));
    expect(request.items.map(({ data }) => data)).toMatchObject([{ locations: addresses }]);
  });

  test("is an order with two stops if it was sent as an order", async () => {
    const order = await read("order", card("TOLEDO, Ohio 43612", "Lexington, Kentucky 40511"));
    expect(order.status).toBe("Read");
    expect(order.items.map(({ data }) => data)).toMatchObject([
      {
        locations: [
          { type: "Loading", city: "TOLEDO", postalCode: "43612" },
          { type: "Unloading", city: "Lexington", postalCode: "40511" },
        ],
      },
    ]);
  });
});
