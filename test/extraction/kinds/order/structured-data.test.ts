import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractOrders } from "../../../../src/extraction/extract.ts";
import type { ExtractionResult } from "../../../../src/extraction/document/extraction-result.ts";
import type { OrderView } from "../../../../src/extraction/kinds/order/view.ts";

const folder = join(import.meta.dirname, "../../../support/files/structured");
let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

const read = (text: string, name: string): Promise<ExtractionResult<OrderView>> =>
  extractOrders(
    { bytes: new TextEncoder().encode(text), name },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(10_000) },
  );

const fileText = (name: string) => readFile(join(folder, name), "utf8");

describe("orders as structured data", () => {
  test("EDIFACT IFTMIN", async () => {
    const { status, items } = await read(await fileText("iftmin.edi"), "iftmin.edi");
    expect(status).toBe("Read");
    expect(items[0]?.data).toMatchObject({
      orderNumber: "TO-2026-4711",
      orderDate: "2026-11-20",
      referenceNumber: "PO-88120",
      customer: {
        name: "Nordhandel GmbH",
        vatCode: "DE136695976",
        contactPerson: { name: "Ute Brandt", email: "u.brandt@nordhandel.example", phone: "+49 40 5550123" },
      },
      carrier: { name: "Alfa Trans Sp. z o.o.", postalCode: "63-300", city: "Pleszew", country: "PL" },
      locations: [
        {
          sequence: 1,
          type: "Loading",
          startDate: "2026-11-24T08:00:00",
          endDate: "2026-11-24T12:00:00",
          name: "Werk Nord GmbH",
          postalCode: "28195",
          refrenceNumbers: ["LS-118"],
          cargo: [
            {
              cargoType: "floor tiles",
              weight: 12400,
              pallets: 33,
              ldm: 13.6,
              adr: true,
              temeratureFrom: 2,
              temeratureTo: 8,
            },
          ],
        },
        { sequence: 2, type: "Unloading", startDate: "2026-11-25T00:00:00", city: "Poznań" },
      ],
      payments: { price: 1250.5, currency: "EUR" },
      vehiclesLicensePlates: ["WGM12345"],
      trailersLicensePlates: ["PO4455K"],
      incoterms: "DAP",
      comments: "Doors open at six: ring the bell",
      cargoValue: { value: 45000, currency: "EUR" },
    });
  });

  test("X12 204", async () => {
    const { items } = await read(await fileText("x12-204.edi"), "x12-204.edi");
    expect(items[0]?.data).toMatchObject({
      orderNumber: "LD900112",
      customer: { name: "Great Lakes Foods Inc", contactPerson: { name: "Jane Roe", phone: "419-555-0134" } },
      locations: [
        {
          type: "Loading",
          startDate: "2026-11-24T08:00:00",
          endDate: "2026-11-24T14:00:00",
          city: "Aurora",
          postalCode: "60502",
          countryCode: "US",
          refrenceNumbers: ["778123"],
          cargo: [{ weight: 19050.88, pallets: 24 }],
        },
        { type: "Unloading", startDate: "2026-11-26T07:00:00", endDate: "2026-11-26T15:00:00", city: "Portland" },
      ],
      payments: { price: 2850 },
      trailersLicensePlates: ["TRL5541"],
    });
  });

  test("fields that a tender lacks are left out, and fields in unusual segments are found", async () => {
    const tender = (await fileText("x12-204.edi"))
      .replace("B2A*00~", "B2A*00~C3*CAD~")
      .replace("N1*BT*", "N1*CN*")
      .replace("N7**TRL5541", "N7**NA")
      .replace("Aurora*IL*60502*US", "Toronto*ON*M5V2T6")
      .replace("Portland*OR*97218*US", "Monterrey*NL*64000")
      .replace("CL*42000*L*", "CL*42000**")
      .replace("37*20261124", "37*20261345");
    const data = (await read(tender, "tender.edi")).items[0]!.data;
    expect(data.payments?.currency).toBe("CAD");
    expect(data.locations?.map(({ countryCode }) => countryCode)).toEqual(["CA", undefined]);
    expect(data.locations?.[0]?.cargo?.[0]).not.toHaveProperty("weight");
    expect(data.locations?.[0]).not.toHaveProperty("startDate");
    expect(data).not.toHaveProperty("customer");
    expect(data).not.toHaveProperty("trailersLicensePlates");
    const silent = (await read(await fileText("x12-204.edi"), "silent.edi")).items[0]!.data;
    expect(silent.payments).not.toHaveProperty("currency");
  });

  test("of several charges none is the price, the total is", async () => {
    const text = await fileText("iftmin.edi");
    const charge = /MOA\+23[^']*'/.exec(text)![0];
    const price = async (changed: string) => (await read(changed, "charges.edi")).items[0]!.data.payments?.price;
    expect(await price(text.replace(charge, `${charge}MOA+23:100:EUR'`))).toBeUndefined();
    expect(await price(text.replace(charge, `${charge}MOA+128:1350.5:EUR'`))).toBe(1350.5);
  });

  test("Open Trip Model 5", async () => {
    const { items } = await read(await fileText("otm5.json"), "otm5.json");
    expect(items[0]?.data).toMatchObject({
      orderNumber: "T-12345",
      customer: { name: "Pompen BV", city: "Eindhoven" },
      carrier: { name: "Snel Transport BV" },
      locations: [
        {
          type: "Loading",
          startDate: "2026-11-24T08:00:00Z",
          street: "Industrieweg 12",
          countryCode: "NL",
          cargo: [{ cargoType: "pumps", weight: 840, pallets: 2, ldm: 0.8, temeratureFrom: 2, temeratureTo: 8 }],
        },
        { type: "Unloading", city: "Rotterdam", coordinates: { latitude: 51.92, longitude: 4.47 } },
      ],
    });
  });

  test("every value has full confidence and its line as evidence", async () => {
    const { items } = await read(await fileText("iftmin.edi"), "iftmin.edi");
    const number = items[0]?.evidence.find(({ pointer }) => pointer === "/orderNumber");
    expect(number).toMatchObject({ value: "TO-2026-4711", confidence: 0.99, source: "Document", page: 1 });
    expect(number?.text).toBe("TO-2026-4711");
    const sequence = items[0]?.evidence.find(({ pointer }) => pointer === "/locations/0/sequence");
    expect(sequence).not.toHaveProperty("text");
  });

  test("several messages of an interchange are several orders", async () => {
    const text = await fileText("iftmin.edi");
    const [head = "", rest = ""] = text.split("UNH+1+");
    const message = `UNH+1+${rest.split("UNZ")[0]}`;
    const second = message.replaceAll("TO-2026-4711", "TO-2026-4712");
    const { items } = await read(`${head}${message}${second}UNZ+2+4711'`, "two.edi");
    expect(items.map(({ data }) => data.orderNumber)).toEqual(["TO-2026-4711", "TO-2026-4712"]);
  });

  test.each([
    ["cut off in the middle", (text: string) => text.slice(0, text.length / 2)],
    ["without its stops", (text: string) => text.replaceAll("NAD+", "XXX+").replaceAll("LOC+", "XXX+")],
    ["of another message", (text: string) => text.replace("IFTMIN", "INVOIC")],
    ["with nothing in its elements", (text: string) => text.replaceAll(/\+[^'+]*/g, "+")],
  ])("a message %s ends with a result", async (_, change) => {
    const { status } = await read(change(await fileText("iftmin.edi")), "broken.edi");
    expect(["Read", "Failed"]).toContain(status);
  });
});
