import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { KindName } from "../../../src/extraction/kinds/kinds.ts";
import type { GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../src/extraction/problem.ts";
import { extractDocument } from "../../../src/extraction/extract.ts";
import { findMachineReadableZone } from "../../../src/extraction/entities/mrz.ts";
import words from "../../support/paper-words.json" with { type: "json" };

/** The captions of four document kinds in one language. */
interface PaperCaptions {
  language: string;
  /** The captions of a CMR note: its boxes, and the columns of its goods from marks to volume. */
  note: Record<
    | "title"
    | "sender"
    | "consignee"
    | "delivery"
    | "takingOver"
    | "documents"
    | "instructions"
    | "carrier"
    | "reservations"
    | "received"
    | "plates",
    string
  > & { goods: string[] };
  /** Title, number, time, place, plate, limit, speed, amount, due date and reference. */
  fine: [string, string, string, string, string, string, string, string, string, string];
  /** Title, number, insurer, holder, period, sum, deductible and territory. */
  policy: [string, string, string, string, string, string, string, string];
  /** The captions of a driver's document: title, surname, given names, birth, number, issue and expiry. */
  paper: [string, string, string, string, string, string, string];
}

const captions = words as unknown as PaperCaptions[];
let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(kind: KindName, text: string, name = "paper.txt") {
  const result = await extractDocument(
    kind,
    { bytes: new TextEncoder().encode(text), name },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return { ...result, data: result.items[0]?.data as Record<string, unknown> | undefined };
}

type Row = readonly [label: string, ...values: string[]];

/** The layouts in which the labelled values are set. */
const settings: Record<string, { name: string; set: (title: string, rows: readonly Row[]) => string }> = {
  "a list": {
    name: "paper.txt",
    set: (title, rows) =>
      [
        title,
        "",
        ...rows.flatMap(([label, ...values]) => [
          `${label}: ${values[0] ?? ""}`,
          ...values.slice(1).map((value) => `    ${value}`),
        ]),
      ].join("\n"),
  },
  columns: {
    name: "paper.txt",
    set: (title, rows) =>
      [
        title,
        "",
        ...rows.flatMap(([label, ...values]) => values.map((value, at) => (at === 0 ? label : "").padEnd(58) + value)),
      ].join("\n"),
  },
  "a web page": {
    name: "paper.html",
    set: (title, rows) =>
      `<html><body><h1>${title}</h1><table>${rows.map(([label, ...values]) => `<tr><td>${label}</td><td>${values.join("<br>")}</td></tr>`).join("")}</table></body></html>`,
  },
};

const perSetting = captions.flatMap((form) =>
  Object.keys(settings).map((setting) => [form.language, setting, form] as const),
);

describe("CMR notes", () => {
  test.each(captions.map((form) => [form.language, form] as const))("%s", async (_, { note }) => {
    const { data, message } = await read("cmr", typedNote(note));
    expect(data, message).toMatchObject({
      number: "4711882",
      sender: { name: "Alfa Papier GmbH", postalCode: "20457", city: "Hamburg" },
      consignee: { name: "Beta Druk Sp. z o.o.", postalCode: "00-001" },
      carrier: { name: "Gamma Trans s.r.o." },
      takingOver: { place: "Hamburg", date: "2026-10-12" },
      delivery: { date: "2026-10-14" },
      goods: [
        {
          marks: "AB 100-9",
          quantity: 24,
          packing: "box",
          nature: "Papier",
          statisticalNumber: "48025500",
          grossWeight: 18_200,
        },
        {
          marks: "CD 200-1",
          quantity: 3,
          packing: "crate",
          nature: "Folio",
          statisticalNumber: "39201025",
          grossWeight: 1310,
        },
      ],
      licensePlates: ["1BX4821", "2BK9034"],
    });
    expect(data?.successiveCarriers).toBeUndefined();
  });

  test("an order is not a CMR note", async () => {
    const { status, reason } = await read(
      "cmr",
      "TRANSPORT ORDER 4711\nLoading: Hamburg\nUnloading: Berlin\nPrice: 900 EUR",
    );
    expect({ status, reason }).toEqual({ status: "Failed", reason: "input_not_a_document_of_this_kind" });
  });

  test.each([
    ["24050 Ghisalba (BG) - ITALIA", "IT"],
    ["55100 Lucca (LU), ITALIA", "IT"],
    ["57121 Livorno (LI)", "IT"],
    ["Kwrzplowo, PL", "PL"],
  ])("the abbreviation of a province is not a country code: %s", async (line, country) => {
    const { data } = await read("cmr", typedNote(captions.at(-1)!.note).replace("Warszawa, PL", line));
    expect(data).toMatchObject({ delivery: { country } });
  });

  test("more weight than a lorry carries is reported, not corrected", async () => {
    const { note } = captions.at(-1)!;
    const { data, items } = await read("cmr", typedNote(note).replace("18 200", "850.500"));
    expect(data).toMatchObject({ goods: [{ grossWeight: 850_500 }, {}] });
    expect(items[0]?.checks.filter(({ passed }) => !passed)).toMatchObject([{ name: "LoadsOneLorryCarries" }]);
  });

  test("a delivery before the takeover is reported, not corrected", async () => {
    const { note } = captions.at(-1)!;
    const { data, items } = await read("cmr", typedNote(note).replace("14.10.2026", "02.10.2026"));
    expect(data).toMatchObject({ delivery: { date: "2026-10-02" } });
    expect(items[0]?.checks.filter(({ passed }) => !passed)).toMatchObject([{ name: "TakingOverBeforeDelivery" }]);
  });
});

function typedNote(note: PaperCaptions["note"]): string {
  const widths = note.goods.map((caption) => Math.max(caption.length, 12) + 3);
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("")
      .trimEnd();
  const box = (number: number, caption: string, ...lines: string[]) =>
    [`${number}. ${caption}`, ...lines.map((line) => `   ${line}`)].join("\n");
  return [
    `${note.title}  CMR`,
    "No. 4711882",
    box(1, note.sender, "Alfa Papier GmbH", "Hafenstraße 4", "20457 Hamburg"),
    box(2, note.consignee, "Beta Druk Sp. z o.o.", "ul. Polna 9", "00-001 Warszawa"),
    box(3, note.delivery, "Warszawa, PL"),
    box(4, note.takingOver, "Hamburg, DE", "12.10.2026"),
    box(5, note.documents, "INV 5512"),
    "",
    row(note.goods),
    row(["AB 100-9", "24", "box", "Papier", "48025500", "18 200", "40,5"]),
    row(["CD 200-1", "3", "crate", "Folio", "39201025", "1 310", ""]),
    "",
    box(13, note.instructions, "+5 °C"),
    box(16, note.carrier, "Gamma Trans s.r.o.", "Nádražní 12", "602 00 Brno"),
    box(18, note.reservations),
    box(24, note.received, "Warszawa, 14.10.2026"),
    `${note.plates}: 1BX 4821 / 2BK 9034`,
  ].join("\n");
}

describe("fines", () => {
  test.each(perSetting)("%s as %s", async (_, setting, { fine }) => {
    const [title, number, when, where, plate, limit, speed, amount, due, reference] = fine;
    const { set, name } = settings[setting]!;
    const rows: Row[] = [
      [number, "AB-4711/26"],
      [when, "06.10.2026, 14:37"],
      [where, "A 24, km 18,4"],
      [plate, "WGM 7A204 (PL)"],
      [limit, "60 km/h"],
      [speed, "78 km/h"],
      [amount, "120,00 EUR"],
      [due, "18.12.2026"],
      ["IBAN", "DE89 3704 0044 0532 0130 00"],
      [reference, "4711882019"],
    ];
    const { data, message } = await read("fine", set(title, rows), name);
    expect(data, message).toMatchObject({
      reference: "AB-4711/26",
      offenceAt: "2026-10-06T14:37",
      place: "A 24, km 18,4",
      offenceType: "Speeding",
      measuredSpeed: 78,
      speedLimit: 60,
      licensePlate: "WGM7A204",
      plateCountry: "PL",
      amount: 120,
      currency: "EUR",
      dueDate: "2026-12-18",
      iban: "DE89370400440532013000",
      paymentReference: "4711882019",
    });
    expect(data?.discountedAmount).toBeUndefined();
  });

  test("a reduced amount for early payment, side by side with the full amount", async () => {
    const text = `
COMUNE DI ESEMPIO
VERBALE DI ACCERTAMENTO n. V/5512/2026

Data e ora della violazione    21/09/2026 ore 09:52
Luogo                          Via Roma, varco n. 4
Targa                          ZV482GH

Pagamento in misura ridotta            Pagamento scontato del 30%
entro il 24/12/2026                    entro il 30/10/2026
€ 83,00                                € 58,10
`;
    const { data } = await read("fine", text);
    expect(data).toMatchObject({
      amount: 83,
      discountedAmount: 58.1,
      discountUntil: "2026-10-30",
      dueDate: "2026-12-24",
      reference: "V/5512/2026",
    });
  });

  test("a label that is wrapped in a narrow column", async () => {
    const text = `
Bußgeldbescheid
Aktenzeichen:      5512/26
Tatort:            B 5
Tattag:            06.10.2026 14:37
Zulässige          60 km/h
Geschwindigkeit:
Festgestellte      69 km/h
Geschwindigkeit:
`;
    const { data } = await read("fine", text);
    expect(data).toMatchObject({ speedLimit: 60, measuredSpeed: 69 });
  });

  test.each([
    ["Mandat karny\nPostój w miejscu zabronionym.\nKwotę należy wpłacić w terminie 7 dni.", "Parking"],
    ["Avis de contravention\nStationnement gênant.\nRéglez l'amende sans attendre.", "Parking"],
    ["Bußgeldbescheid\nÜberschreitung der Lenkzeit", "DrivingTime"],
    ["Strafverfügung\nSie haben als Lenker die Gesamtmasse überschritten (Gewicht 42 t).", "Weight"],
    ["Mandat karny\nBrak opłaty, strefa płatnego parkowania", "Parking"],
    ["Penalty Charge Notice\nBristol City Council\nBreach of driving time", "DrivingTime"],
    ["Verbale di accertamento\nAccesso non autorizzato in ZTL", "RestrictedZone"],
    ["Rozhodnutí o pokutě\nParkování na chodníku dne 5. června 2026", "Parking"],
  ])("the offence is recognised, but not within other words: %s", async (text, offenceType) => {
    const { data } = await read("fine", `${text}\nPCN number: AB47110\nPenalty charge: 50.00 EUR\nTatort: B 5`);
    expect(data).toMatchObject({ offenceType });
  });

  test("a speed below the limit and a discount above the amount are reported", async () => {
    const text =
      "Penalty Charge Notice\nPCN number: AB47110\nSpeed limit: 60 km/h\nRecorded speed: 40 km/h\nPenalty charge: 50.00 GBP\nDiscounted amount: 70.00 GBP";
    const { items } = await read("fine", text);
    const failed = items[0]?.checks.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(failed).toEqual(["SpeedOverLimit", "DiscountBelowAmount"]);
  });
});

describe("insurance policies", () => {
  test.each(perSetting)("%s as %s", async (_, setting, { policy }) => {
    const [title, number, insurer, holder, period, sum, own, territory] = policy;
    const { set, name } = settings[setting]!;
    const rows: Row[] = [
      [number, "OC/26/0081447"],
      [insurer, "Omega Insurance AG"],
      [holder, "Gamma Trans s.r.o.", "Nádražní 12", "602 00 Brno", "CZ12345679"],
      [period, "01.03.2026 - 28.02.2027"],
      [sum, "300 000 EUR"],
      [own, "500 EUR"],
      [territory, "DE, PL, CZ"],
    ];
    const { data, message } = await read("insurance", set(title, rows), name);
    expect(data, message).toMatchObject({
      policyNumber: "OC/26/0081447",
      insurer: "Omega Insurance AG",
      policyHolder: { name: "Gamma Trans s.r.o.", vatCode: "CZ12345679", postalCode: "602 00" },
      validFrom: "2026-03-01",
      validTo: "2027-02-28",
      sumInsured: 300_000,
      currency: "EUR",
      territory: ["DE", "PL", "CZ"],
    });
  });
});

describe("dates and names that do not belong to the policy are ignored", () => {
  const policy = (...lines: string[]) =>
    ["Versicherungsschein", "Versicherungsschein-Nr.: VH-70-4418", ...lines, "Deckungssumme: 300 000 EUR"].join("\n");

  test("the date of issue does not limit the period", async () => {
    const { data } = await read(
      "insurance",
      policy("Versicherungsbeginn: 01.03.2026    Ausstellungsdatum: 20.02.2026", "Versicherungsablauf: 01.03.2027"),
    );
    expect(data).toMatchObject({ validFrom: "2026-03-01", validTo: "2027-03-01" });
  });

  test("the letterhead is not the policy holder", async () => {
    const { data } = await read(
      "insurance",
      [
        "Beispiel Versicherung AG",
        "Musterallee 1",
        "80331 München",
        "",
        policy("Versicherer: Beispiel Versicherung AG"),
      ].join("\n"),
    );
    expect(data).not.toHaveProperty("policyHolder");
  });
});

describe("drivers' documents", () => {
  test.each(perSetting)("%s as %s", async (_, setting, { paper }) => {
    const [title, surname, given, born, number, issued, expires] = paper;
    const { set, name } = settings[setting]!;
    const rows: Row[] = [
      [surname, "Novotny"],
      [given, "Karel"],
      [born, "03.05.1979"],
      [number, "KJ877382"],
      [issued, "12.04.2023"],
      [expires, "11.04.2028"],
    ];
    const { data, message } = await read("driver-document", set(title, rows), name);
    expect(data, message).toMatchObject({
      type: "Adr",
      number: "KJ877382",
      issuedAt: "2023-04-12",
      expiresAt: "2028-04-11",
      holder: { name: "Karel Novotny", birthDate: "1979-05-03" },
    });
  });

  test("a licence is read by its field numbers", async () => {
    const text =
      "PERMIS DE CONDUIRE   RÉPUBLIQUE FRANÇAISE\n1. Exemple\n2. Paul Marie\n3. 12.08.1984 Lyon\n4a. 25.01.2023  4c. Préfecture\n4b. 24.01.2038\n5. 23AA00012\n9. B/C/CE\n12. 95(01.02.2028)";
    const { data } = await read("driver-document", text);
    expect(data).toMatchObject({
      type: "DrivingLicence",
      number: "23AA00012",
      issuingCountry: "FR",
      issuedAt: "2023-01-25",
      expiresAt: "2038-01-24",
      categories: ["B", "C", "CE"],
      holder: { name: "Paul Marie Exemple", birthDate: "1984-08-12" },
    });
  });

  test("a passport is read by its machine-readable zone, and its wrong check digit is reported", async () => {
    const zone = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"];
    const { data, items } = await read("driver-document", ["PASSPORT", ...zone].join("\n"));
    expect(data).toMatchObject({
      type: "Passport",
      number: "L898902C3",
      expiresAt: "2012-04-15",
      holder: { name: "ANNA MARIA ERIKSSON", birthDate: "1974-08-12" },
    });
    expect(items[0]?.checks.every(({ passed, detail }) => passed && !detail.includes("wrong"))).toBe(true);
    const wrong = findMachineReadableZone([zone[0]!, zone[1]!.replace("F1204159", "F1204158")], "2026-11-20");
    expect(wrong?.checks.filter(({ passed }) => !passed).map(({ field }) => field)).toEqual(["expiresAt", "all"]);
  });

  test("a card with a machine-readable zone of three lines", () => {
    const zone = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"];
    expect(findMachineReadableZone(zone, "2026-11-20")).toMatchObject({
      kind: "Card",
      number: "D23145890",
      surname: "ERIKSSON",
      birthDate: "1974-08-12",
    });
  });
});
