import type { ArchiveRow } from "../src/platform/archive/archive.ts";
import type { Order } from "../src/areas/orders/model.ts";
import { orderRow } from "../src/areas/orders/search.ts";

const began = Date.parse("2023-11-20T06:00:00Z");
const threeYears = 3 * 365 * 24 * 60 * 60 * 1000;
const day = 24 * 60 * 60 * 1000;
const countries = ["DE", "DE", "DE", "DE", "PL", "PL", "PL", "CZ", "FR", "NL"];
const goods = [
  "Printing paper",
  "Steel coils",
  "Frozen food",
  "Tyres",
  "Furniture",
  "Glass",
  "Cement",
  "Machine parts",
];

/**
 * Generates the archive rows of `count` orders, spread evenly over three years. Their values are the same in each run.
 */
export function* archiveRows(company: string, count: number): Generator<{ version: number; row: ArchiveRow }> {
  for (let index = 0; index < count; index++)
    yield { version: 2, row: orderRow(orderOf(index, count), company, idOf(index)) };
}

/** Returns the VAT code of a customer, who is numbered `00` to `99`. Each customer has about one order in a hundred. */
export const customerVatCode = (customer: string) => `DE1000000${customer}`;

function orderOf(index: number, count: number): Order {
  const any = (kind: number, most: number) => scattered(index * 16 + kind) % most;
  const created = began + Math.floor((index / count) * threeYears);
  const createdAt = new Date(created).toISOString();
  // Three orders, at 10, 50 and 90 % of the period, have a plate and a word that no other order has.
  const isChosen = [0.1, 0.5, 0.9].some((part) => index === Math.floor(part * count));
  const status = any(0, 1000) === 0 ? "Failed" : any(1, 2) === 0 ? "Succeeded" : "Partial";
  const customer = String(any(2, 100)).padStart(2, "0");
  const loading = created + (1 + any(3, 10)) * day;
  const town = (kind: number, type: "Loading" | "Unloading", at: number) => ({
    sequence: type === "Loading" ? 1 : 2,
    type,
    startDate: new Date(at).toISOString().slice(0, 19),
    countryCode: countries[any(kind, 10)]!,
    postalCode: String(10_000 + any(kind + 1, 500)),
    city: `Town${String(any(kind + 1, 500)).padStart(3, "0")}`,
    name: `Warehouse ${any(kind + 2, 2000)}`,
    cargo: [{ cargoType: `${goods[any(kind + 3, goods.length)]!} on pallets` }],
  });
  return {
    status,
    file: { key: "", name: `order-${index}.pdf`, mediaType: "application/pdf", sizeBytes: 5000, sha256: "" },
    metadata: { internalId: `TMS-${index}` },
    attempts: 1,
    envelopes: [
      {
        sequenceId: 0,
        status,
        data: {
          orderNumber: `${any(12, 50) === 0 ? "AX" : "BS"}-26-${String(index).padStart(6, "0")}`,
          referenceNumber: isChosen ? "Nightingale" : `REF ${any(13, 90_000)}`,
          customer: { name: `Spedition Muster ${customer}`, vatCode: customerVatCode(customer) },
          carrier: { name: "Vzorová Doprava s.r.o.", vatCode: "CZ12345679" },
          locations: [town(4, "Loading", loading), town(8, "Unloading", loading + day)],
          payments: { price: 500 + any(14, 2000), currency: "EUR" },
          vehiclesLicensePlates: [isChosen ? "WGM 12345" : `1BX ${1000 + any(15, 250)}`],
        },
      },
    ],
    createdAt,
    updatedAt: new Date(created + 2000).toISOString(),
  };
}

const idOf = (index: number) => `01a1f8ce-96ba-7fa1-b074-${index.toString(16).padStart(12, "0")}`;

/** Computes a pseudorandom 32-bit number, which is always the same for the same seed. */
export function scattered(seed: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
