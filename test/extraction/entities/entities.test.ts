import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../scripts/gazetteer.ts";
import type { Gazetteer, GazetteerShards } from "../../../src/extraction/lexicon/gazetteer.ts";
import type { Entity, EntityOf, EntityType, DocumentLocale } from "../../../src/extraction/entities/entity.ts";
import { prepareGazetteer, findEntities, detectLocale } from "../../../src/extraction/entities/find-entities.ts";

const today = { year: 2026, month: 11, day: 20 };
const plain: DocumentLocale = { decimal: ",", dateOrder: "DMY", today, languages: [], countries: [] };
const countries = ["DE", "PL", "FR", "LT", "LV", "CZ", "NL", "GB", "IE", "PT", "ES", "IT", "RO"];
let out: string;
let shards: GazetteerShards;
let gazetteer: Gazetteer;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  shards = openGazetteerFromDisk(out);
  gazetteer = await shards.prepare(countries);
});
afterAll(() => rm(out, { recursive: true, force: true }));

/** Finds the value of this type with the highest score. Returns undefined if the score is too low. */
function seen<T extends EntityType>(
  type: T,
  text: string,
  context: Partial<DocumentLocale> = {},
): EntityOf<T>["value"] | undefined {
  const found = findEntities(text, { ...plain, ...context }, gazetteer).filter(
    (entity): entity is EntityOf<T> => entity.type === type,
  );
  return found.filter(({ score }) => score >= 0.3).toSorted((one, other) => other.score - one.score)[0]?.value as
    | EntityOf<T>["value"]
    | undefined;
}

/** Splits a template into its texts, which are separated by bars or line breaks. */
const each = (texts: TemplateStringsArray) =>
  texts[0]!
    .split(/[|\n]/)
    .map((text) => text.trim())
    .filter((text) => text !== "");

describe("dates", () => {
  const day = { year: 2026, month: 11, day: 24 };
  test.each(each`
    24.11.2026 | 24/11/2026 | 24-11-2026 | 24.11.26 | 24/11/26 | 2026-11-24 | 2026/11/24 | 2026.11.24 | 2026. 11. 24. | 20261124 | 2026 11 24
    2026-11-24T08:00:00 | 2026-11-24T08:00:00+01:00 | 24.XI.2026 | 24 XI 2026 | 24-Nov-26 | 24-Nov-2026 | Nov 24th, 2026 | 24 Nov 2026 | 24. 11. 2026
    Tue 24 Nov 2026 | Tuesday, November 24, 2026 | Di., 24.11.26 | wt. 24.11.2026 | 24.11.2026 r. | 2026-11-24 d. | 24/nov/2026 | 24NOV2026
    24. November 2026 | 24 listopada 2026 r. | le 24 novembre 2026 | 2026 m. lapkričio 24 d. | 2026 m. lapkričio mėn. 24 d. | lapkričio 24 d., 2026
    24 de noviembre de 2026 | 24. listopadu 2026 | 2026. november 24. | 2026. nov. 24. | 24 noiembrie 2026 | 24 november 2026 | 24 de novembro de 2026
    24. novembra 2026 | 2026. gada 24. novembris | 2026. gada 24. novembrī | 24. novembril 2026 | 24 листопада 2026 р. | 24 ноября 2026 г. | 24. studenoga 2026
    24 ноември 2026 г. | 24. marraskuuta 2026 | 24 Kasım 2026 | 24 Νοεμβρίου 2026 | wtorek, 24 listopada 2026 | úterý 24. 11. 2026 | 2026. november 24-én
  `)("%s is a date", (text) => expect(seen("Date", text)).toEqual(day));

  test.each(
    each`24.11. | 24 Nov | Tue 24 Nov | 24. November | 24 listopada | lapkričio 24 d. | 24 novembre | Nov 24 | 24 ноября`,
  )("%s is a date without a year", (text) => expect(seen("Date", text)).toEqual({ month: 11, day: 24 }));

  test.each(each`
    24.-26.11.2026 | 24-26.11.2026 | 24.11.-26.11.2026 | 24.11.–26.11.2026 | 24.11.2026 bis 26.11.2026 | od 24.11.2026 do 26.11.2026 | 24/26.11.2026
    vom 24. bis 26. November 2026 | from 24 to 26 November 2026 | 24–26 listopada 2026 | du 24 au 26 novembre 2026 | del 24 al 26 de noviembre de 2026
    2026-11-24 - 2026-11-26 | 2026-11-24/26 | 2026 11 24 – 2026 11 26 | 2026.11.24–26.
  `)("%s is a date range", (text) => expect(seen("Date", text)).toEqual({ ...day, until: { ...day, day: 26 } }));

  test.each(
    each`KW 47 | KW47 | KW 47/2026 | 47. KW | week 47 | wk 47 2026 | týden 47 | savaitė 47 | semaine 47 | 47. hét`,
  )("%s is a calendar week", (text) =>
    expect(seen("Date", text)).toMatchObject({
      year: 2026,
      month: 11,
      day: 16,
      until: { year: 2026, month: 11, day: 22 },
    }),
  );

  test.each(each`24/11-2026 | d. 24/11-2026 | 24.11-2026`)("%s is a date whose year follows a dash", (text) =>
    expect(seen("Date", text)).toEqual(day),
  );

  test.each(each`Faktura nr 7/11-2026 | Ordre no. 24/11-2026 | Bestilling # 24/11-2026`)(
    "%s is a number, not a date",
    (text) => expect(seen("Date", text)).toBeUndefined(),
  );

  test("the order of day and month is taken from the document", () => {
    expect(seen("Date", "03/04/2026")).toEqual({ year: 2026, month: 4, day: 3, ambiguous: true });
    expect(seen("Date", "03/04/2026", { dateOrder: "MDY" })).toEqual({ year: 2026, month: 3, day: 4, ambiguous: true });
    expect(seen("Date", "11/24/2026", { dateOrder: "MDY" })).toEqual(day);
  });

  test("the name of a month is read in the document's language", () => {
    expect(seen("Date", "24. listopadu 2026", { languages: ["cs"] })).toMatchObject({ month: 11 });
    expect(seen("Date", "24. listopada 2026", { languages: ["hr"] })).toMatchObject({ month: 10 });
  });

  test.each(each`
    31.02.2026 | 30/02/2026 | 32.11.2026 | 24.13.2026 | 61-022 Poznań | 1.234,56 EUR | 12.500 kg | 192.168.11.24 | +48 22 11 24 2026 | WGM 12345
    ZL/2026/11/01847 | TO-24/11/2026 | FV 24/11/2026/A | v. 2.11.26.4 | 2/6 C | 08.00-14.00 | DE 811 111 111 | 24.11 t | ul. 3 Maja 12 | 12 pallets | 2026
  `)("%s is not a date", (text) => expect(seen("Date", text)).toBeUndefined());
});

describe("times", () => {
  test.each(each`
    08:00-14:00 | 08:00 - 14:00 | 8.00–14.00 Uhr | 08.00 - 14.00 Uhr | 8-14 Uhr | 08:00 Uhr - 14:00 Uhr | zwischen 8 und 14 Uhr | von 08:00 bis 14:00 Uhr
    08h00 à 14h00 | 8h-14h | de 8h à 14h | entre 8h et 14h | od 8:00 do 14:00 | w godz. 8:00-14:00 | w godzinach 8-14 | od godz. 8 do 14
    between 8am and 2 pm | 8am-2pm | 08:00 to 14:00 | 0800-1400 | 0800 - 1400 hrs | from 8:00 till 14:00 | entre las 8:00 y las 14:00 | de 8:00 a 14:00
    dalle 8:00 alle 14:00 | dalle ore 8.00 alle ore 14.00 | od 8:00 do 14:00 hod. | nuo 8:00 iki 14:00 | 8–14 val. | între 8:00 și 14:00 | între orele 8 și 14
    8:00-14:00 óra között | 8 és 14 óra között | 8-tól 14 óráig | 8:00-tól 14:00-ig | tussen 8.00 en 14.00 uur | van 8 tot 14 uur | 8u-14u | das 8h às 14h
    entre as 8h e as 14h | no 8:00 līdz 14:00 | no plkst. 8 līdz 14 | kell 8-14 | kella 8-st 14-ni | kl. 8-14 | з 8:00 до 14:00 | с 8 до 14 часов | с 8-00 до 14-00
    klo 8-14 | mellan 8:00 och 14:00 | mellem kl. 8 og 14 | od 8 do 14 h | 08:00h - 14:00h | (08:00-14:00) | 08:00:00 - 14:00:00
  `)("%s is a time range", (text) => expect(seen("Time", text)).toEqual({ from: 480, to: 840 }));

  test.each(each`
    before 14:00 | bis 14 Uhr | bis spätestens 14:00 Uhr | do 14:00 | do godz. 14:00 | najpóźniej do 14:00 | until 14:00 | no later than 2 pm | avant 14h | jusqu'à 14h
    antes de las 14:00 | hasta las 14:00 | entro le ore 14.00 | iki 14 val. | nejpozději do 14:00 | najneskôr do 14:00 | până la ora 14:00 | 14:00-ig | 14 óráig
    legkésőbb 14:00 | tot 14:00 | uiterlijk 14.00 uur | até às 14:00 | līdz plkst. 14:00 | hiljemalt kell 14:00 | до 14:00 | до 14-00 | senest kl. 14
  `)("%s is the end of a time range", (text) => expect(seen("Time", text)).toEqual({ to: 840 }));

  test.each(each`
    ab 8 Uhr | od godz. 8:00 | from 8am | after 8:00 | à partir de 8h | a partir de las 8:00 | dalle ore 8 | nuo 8 val. | de la ora 8 | 8 órától | vanaf 8 uur
    no plkst. 8 | alates kella 8.00 | після 8:00 | с 8:00 | fra kl. 8 | 8:00 | 08:00 Uhr | FIX 8:00 | 8.00 Uhr | 0800 hrs | a las 8:00 | 24.11.2026 08.00
  `)("%s is the beginning of a time range", (text) => expect(seen("Time", text)).toEqual({ from: 480 }));

  test.each([
    ["00:00-24:00", { from: 0, to: 1440 }],
    ["22:00-06:00", { from: 1320, to: 360 }],
    ["1 - 3 pm", { from: 780, to: 900 }],
    ["12 am", { from: 0 }],
    ["noon", { from: 720 }],
  ])("%s is read as a time", (text, value) => expect(seen("Time", text)).toEqual(value));

  test.each(each`
    12.50 EUR | 24.5 t | 61-022 | 8-14 pallets | 2.40 m | 25:00 | 12:75 | tel. 08 00 14 00 | 13,6 ldm | 8-14 dni | 30-45 Tage | 10.00 % | 24h | 48 h | 2 hours | 3 heures franches
  `)("%s is not a time", (text) => expect(seen("Time", text)).toBeUndefined());
});

describe("money", () => {
  const cases: [string, number, string[], Partial<DocumentLocale>?][] = [
    [
      "EUR",
      1250,
      each`1.250,00 EUR | 1 250,00 EUR | 1250 EUR | EUR 1250 | €1250 | 1.250,- € | 1250,00 euro | 1250 eurų | 1'250.00 EUR | 1.250 EUR`,
    ],
    ["EUR", 1250, each`1,250.00 EUR | € 1,250 | 1250.00 €`, { decimal: "." }],
    ["PLN", 5400, each`5 400,00 zł | 5400 PLN | PLN 5 400 | 5400 złotych`],
    ["CZK", 12500, each`12 500 Kč | 12.500,- Kč | 12500 CZK`],
    ["HUF", 450000, each`450 000 Ft | 450.000 HUF | HUF 450000`],
    ["RON", 3500, each`3.500 lei | 3500 RON`],
    ["GBP", 850, each`£850 | 850 GBP | GBP 850.00`, { decimal: "." }],
    ["USD", 2400, each`$2,400.00 | USD 2,400 | US$ 2400`, { decimal: "." }],
    ["CHF", 1850, each`CHF 1'850.00 | 1850 CHF | 1'850.- CHF`, { decimal: "." }],
    ["SEK", 9500, each`9 500 SEK | 9500 kr`, { languages: ["sv"] }],
    ["DKK", 9500, each`9.500 kr. | 9.500 DKK`, { languages: ["da"] }],
    ["UAH", 35000, each`35 000 грн | 35000 UAH`],
    ["TRY", 45000, each`45.000 TL | 45.000,00 ₺`],
  ];
  test.each(
    cases.flatMap(([currency, amount, texts, context]) => texts.map((text) => ({ text, amount, currency, context }))),
  )("$text is an amount", ({ text, amount, currency, context }) =>
    expect(seen("Amount", text, context)).toEqual({ amount, currency }),
  );

  test.each(each`33 EUR pallets | 33 EUR-Paletten | 24.11.2026 | 8:00`)("%s is not an amount", (text) =>
    expect(seen("Amount", text)).toBeUndefined(),
  );
});

describe("quantities", () => {
  const cases: [EntityOf<"Quantity">["value"], string[]][] = [
    [
      { amount: 24000, unit: "kg" },
      each`24 000 kg | 24.000 kg | 24000kg | 24 000,00 kg | 24000 KGS | 24000 kilogramų | 24000 кг | kg 24000`,
    ],
    [
      { amount: 24, unit: "t" },
      each`24 t | 24,0 t | 24 to | 24 tonnes | 24 tony | 24 Tonnen | 24 tonnellate | 24 toneladas | 24 тонн | 24 tonos | 24 tonnas`,
    ],
    [
      { amount: 13.6, unit: "ldm" },
      each`13,6 ldm | 13,6 LDM | 13,6 mp | 13,6 Lademeter | 13,6 loading metres | 13,6 m ładownych | 13,6 mètres de plancher | 13,6 metri lineari | 13,6 metros lineales
        13,6 laadmeter | 13,6 ložných metrů | 13,6 ložné metre | 13,6 rakodóméter | 13,6 metri liniari | 13,6 pakrovimo metrų | 13,6 kraušanas metri | 13,6 laadimismeetrit | 13,6 лдм | 13,6 м.п. | LDM: 13,6`,
    ],
    [
      { amount: 33, unit: "pallets" },
      each`33 pallets | 33 palety | 33 Paletten | 33 EUR-Paletten | 33 EPAL | 33 plt | 33 palettes Europe | 33 palés | 33 bancali | 33 europalet | 33 raklap | 33 db raklap | 33 padėklai
        33 paletės | 33 paleți | 33 paletes | 33 alust | 33 eurokaubaalust | 33 палети | 33 паллет | 33 піддони | 33 EUR/EPAL | 33 x EUR | 33 Stellplätze | 33 skids | 33 miejsca paletowe | 33 lavaa`,
    ],
    [
      { amount: 12, unit: "pieces" },
      each`12 pcs | 12 szt. | 12 Stück | 12 ks | 12 db | 12 buc | 12 vnt. | 12 gab. | 12 tk | 12 шт. | 12 colli | 12 bultos | 12 IBC | 12 big bags | 12 місць`,
    ],
    [{ amount: 80, unit: "m3" }, each`80 m3 | 80 m³ | 80 cbm | 80 м3 | 80 куб.м`],
    [{ amount: 1250, unit: "km" }, each`1 250 km | 1250km | 1.250 km | 1250 км | 1250 kilometrów`],
    [
      { amount: 30, unit: "days" },
      each`30 days | 30-days | 30 dni | 30 Tage | 30 jours | 30 días | 30 gg | 30 dnů | 30 nap | 30 zile | 30 dagen | 30 dias | 30 dienų | 30 dienas | 30 päeva | 30 днів | 30 дней | 30 päivää | 30 k. d.`,
    ],
  ];
  test.each(cases.flatMap(([value, texts]) => texts.map((text) => ({ text, value }))))(
    "$text is a quantity",
    ({ text, value }) => expect(seen("Quantity", text)).toEqual(value),
  );

  test.each(each`24.11.2026 | 12.50 EUR | Tel. 33 44 55 66 | Halle 12`)("%s is not a quantity", (text) =>
    expect(seen("Quantity", text)).toBeUndefined(),
  );

  test.each(each`
    +2 do +6 °C | +2°C - +6°C | 2/6 C | +2/+6°C | od +2°C do +6°C | 2-6°C | von 2 bis 6 °C | de +2 à +6°C | +2 / +6 | +4 °C +/- 2 °C | +4°C ±2°C | nuo +2 iki +6 °C
    no +2 līdz +6 °C | +2...+6°C | від +2 до +6 °С | +2 až +6 °C | +2°C és +6°C | tussen +2 en +6 °C | între +2 și +6 °C
  `)("%s is a temperature range", (text) => expect(seen("Temperature", text)).toEqual({ from: 2, to: 6 }));

  test.each([
    ["-10 °F, continuous run", { from: -23.3, to: -23.3 }],
    ["TEMP: 34F CONTINUOUS", { from: 1.1, to: 1.1 }],
    ["reefer at 28 F to 30 F", { from: -2.2, to: -1.1 }],
    ["gate 12 F", undefined],
  ])("%s is a temperature in Fahrenheit", (text, range) => expect(seen("Temperature", text)).toEqual(range));

  test.each(each`-18°C | - 18 °C | -18 C | minus 18°C | −18 °C | -18 deg C | -18 st. C`)(
    "%s is the temperature -18 °C",
    (text) => expect(seen("Temperature", text)).toEqual({ from: -18, to: -18 }),
  );

  test.each(each`120x80x140 cm | 120 x 80 x 140 cm | 120×80×140cm | 120*80*140 cm | 120cm x 80cm x 140cm | 120x80x140`)(
    "%s are dimensions",
    (text) => expect(seen("Dimensions", text)).toEqual({ length: 120, width: 80, height: 140, units: "cm" }),
  );
});

describe("numbers with a check digit, phones and mail addresses", () => {
  test.each([
    ["NIP: PL 781-17-67-696", "Vat", { code: "PL7811767696", country: "PL", checked: true }],
    ["781-17-67-696", "Vat", { code: "PL7811767696", country: "PL", checked: true }],
    ["DE 811 907 980", "Vat", { code: "DE811907980", country: "DE", checked: true }],
    ["DE89 3704 0044 0532 0130 00", "Iban", "DE89370400440532013000"],
    ["MSKU 123456 5", "Container", "MSKU1234565"],
    ["UN 1203", "UnNumber", "1203"],
    ["FCA (Incoterms 2020) Poznań", "Incoterm", "FCA"],
    ["+48 (22) 123-45-67", "Phone", "+48221234567"],
    ["0048 22 123 45 67", "Phone", "+48221234567"],
    ["+49 (0) 40 30001234", "Phone", "+494030001234"],
    ["Mail: Jan.Test@firm.example.", "Email", "jan.test@firm.example"],
  ] as [string, EntityType, unknown][])("%s is recognised", (text, type, value) =>
    expect(seen(type, text)).toEqual(value),
  );

  test("a number with a wrong check digit is not accepted as checked", () => {
    expect(seen("Iban", "DE89 3704 0044 0532 0130 01")).toBeUndefined();
    expect(seen("Vat", "PL 7811767697")).not.toMatchObject({ checked: true });
  });

  test("a national number is recognised in its own country only", () => {
    expect(seen("Vat", "7811767696", { countries: ["PL"] })).toMatchObject({ code: "PL7811767696" });
    expect(seen("Vat", "7811767696", { countries: ["DE"] })).toBeUndefined();
    expect(seen("Phone", "22 123 45 67", { countries: ["PL"] })).toBe("+48221234567");
  });

  test("two plates separated by a slash are two uncertain plates", () => {
    const plates = findEntities("WGM 12345 / WGM 9AK2", plain, gazetteer).filter(
      (entity): entity is EntityOf<"Plate"> => entity.type === "Plate",
    );
    expect(plates.map(({ value }) => value.plate)).toEqual(["WGM12345", "WGM9AK2"]);
    expect(plates.every(({ score }) => score <= 0.4)).toBe(true);
  });

  test.each(each`GBP 612 | EUR 480 | 500 EUR | PLN 3500`)("%s is an amount and not a plate", (text) =>
    expect(findEntities(text, plain, gazetteer).filter(({ type }) => type === "Plate")).toEqual([]),
  );
});

describe("companies", () => {
  test.each(each`
    Alfa Trans Sp. z o.o. | Alfa GmbH & Co. KG | Alfa Logistik AG | UAB „Alfa“ | Alfa, UAB | SIA "Alfa" | OÜ Alfa | Alfa, s.r.o. | Alfa spol. s r.o. | Alfa a.s. | Alfa Kft. | Alfa Zrt. | SC Alfa SRL
    Alfa S.p.A. | Alfa SARL | SAS Alfa | Alfa S.L.U. | Alfa, Lda. | Alfa B.V. | Alfa N.V. | Alfa Ltd | Alfa PLC | Alfa Inc. | ТОВ «Альфа» | ООО «Альфа» | ФОП Іваненко І.І. | Alfa ApS | Alfa A/S | Alfa AB | Alfa Oy
    Alfa d.o.o. | Alfa doo | Алфа ЕООД | Alfa A.Ş. | P.H.U. Alfa | Alfa Spółka z o.o. Sp.k. | Alfa Sàrl | Alfa sh.p.k. | Alfa Gesellschaft mit beschränkter Haftung
  `)("%s is a company", (text) => expect(seen("Company", text)).toBe(text));

  test.each(each`Zlecenie transportowe | as soon as possible | 12 kg | Warszawa | Bitte um Bestätigung | la sa casa`)(
    "%s is not a company",
    (text) => expect(seen("Company", text)).toBeUndefined(),
  );
});

describe("streets", () => {
  test.each(each`
    ul. Długa 5 | ul. 3 Maja 12A | os. Zwycięstwa 4/12 | Hauptstraße 12 | Hauptstr. 12a | Turkuer Straße 30 | Am Hafen 3 | Kaiserweg 7 | rue de la Paix 12 | 12 rue de la Paix | 12 bis, avenue Foch | ZI Nord
    Viale Europa, 12 | Corso Italia 3/A | C/ Mayor, 12 | Polígono Industrial Sur | Rua Augusta 100 | Str. Lungă nr. 5 | Kossuth Lajos utca 12. | Váci út 3 | Industrieweg 5 | Gedimino pr. 12 | Brīvības iela 12
    Pärnu maantee 12 | вул. Хрещатик, 12 | ул. Ленина, 5 | Nádražní 123/4 | nám. Míru 5 | Hlavná ulica 3 | 82 Clerkenwell Road | 44 Court St | 1600 Pennsylvania Ave NW | Storgatan 12 | Hovedvejen 3 | бул. Витоша 12 | Bağdat Cad. No: 5
  `)("%s is a street", (text) => expect(seen("Street", text)).toBe(text));

  test("a postal code is not a house number", () => {
    expect(seen("Street", "13 Route d'Esch, 2016 Luxembourg")).toBe("13 Route d'Esch");
    expect(seen("Street", "Rua Augusta 1015, 9500-614 Ponta Delgada")).toBe("Rua Augusta 1015");
  });

  test.each(each`Tel. 12 | Order 4711 | Stop 2 | PL 12345 | P.O. Box 12`)("%s is not a street", (text) =>
    expect(seen("Street", text)).toBeUndefined(),
  );
});

describe("places", () => {
  const cases: [
    text: string,
    country: string,
    postalCode: string | undefined,
    city: string | undefined,
    countries?: string[],
  ][] = [
    ["37079 Göttingen", "DE", "37079", "Göttingen", ["DE"]],
    ["DE-37079 Göttingen", "DE", "37079", "Göttingen"],
    ["D 60311 Frankfurt am Main", "DE", "60311", "Frankfurt am Main"],
    ["F - 69000 LYON", "FR", "69000", "LYON"],
    ["69365 Lyon Cedex 07", "FR", "69365", "Lyon", ["FR"]],
    ["(PL) 87-200 Wąbrzeźno", "PL", "87-200", "Wąbrzeźno"],
    ["PL62-800 Kalisz", "PL", "62-800", "Kalisz"],
    ["110 00 Praha 5", "CZ", "110 00", "Praha", ["CZ"]],
    ["SK 811 01 Bratislava", "SK", "811 01", "Bratislava"],
    ["Rīga, LV-1010", "LV", "LV-1010", "Rīga"],
    ["Vilnius, LT-01100", "LT", "01100", "Vilnius"],
    ["NL-1012AB Amsterdam", "NL", "1012AB", "Amsterdam"],
    ["3011 Rotterdam", "NL", "3011", "Rotterdam", ["NL"]],
    ["1000-001 Lisboa", "PT", "1000-001", "Lisboa"],
    ["I-20121 Milano MI", "IT", "20121", "Milano"],
    ["H-1051 Budapest", "HU", "1051", "Budapest"],
    ["RO-400001 Cluj-Napoca", "RO", "400001", "Cluj-Napoca"],
    ["EE-10111 Tallinn", "EE", "10111", "Tallinn"],
    ["01001 Київ", "UA", "01001", "Київ", ["UA"]],
    ["London EC1N 8QX", "GB", "EC1N 8QX", "London"],
    ["Dublin 2, D02 X285", "IE", "D02 X285", "Dublin"],
    ["Chicago, IL 60601", "US", "60601", "Chicago"],
    ["Toronto, ON M5V 2T6", "CA", "M5V 2T6", "Toronto"],
    ["20354, Hamburg, Niemcy", "DE", "20354", "Hamburg"],
    ["Hamburg (DE)", "DE", undefined, "Hamburg"],
    ["Warschau, Polen", "PL", undefined, "Warschau"],
    ["Berlijn, Duitsland", "DE", undefined, "Berlijn"],
    ["Варшава, Польща", "PL", undefined, "Варшава"],
    ["Bécs, Ausztria", "AT", undefined, "Bécs"],
    ["Warszawa", "PL", undefined, "Warszawa"],
    ["DE 20354", "DE", "20354", undefined],
  ];
  test.each(cases)("%s is a place", (text, country, postalCode, city, near) => {
    const place = seen("Place", text, { countries: near ?? [] });
    expect({ country: place?.country, postalCode: place?.postalCode, city: place?.city?.replace(/ \d+$/, "") }).toEqual(
      { country, postalCode, city },
    );
  });

  test("a town has its local name and its coordinates", () => {
    expect(seen("Place", "Breslau, Polen")).toMatchObject({
      city: "Breslau",
      normalizedCity: "Wrocław",
      coordinates: { latitude: expect.closeTo(51.1, 0), longitude: expect.closeTo(17, 0) },
    });
  });

  test.each(
    each`24000 kg | 12500 EUR | tel. 12345 | 33 EUR palety | Zlecenie 20354 | Ref. 60311 | 24.11.2026 | 9500 PLN | 10000 szt. | seit 1958 | Conditions of Carriage 2024`,
  )("%s is not a place", (text) => expect(seen("Place", text, { countries: ["DE", "PL"] })).toBeUndefined());
});

describe("the locale of a document", () => {
  test("is derived from its decimal separators, dates, languages and countries", () => {
    expect(
      detectLocale(
        ["Beladung: 24.11.2026", "Frachtpreis 1.250,00 EUR", "Entladestelle", "Tel. +49 40 30001234"],
        today,
      ),
    ).toMatchObject({
      decimal: ",",
      languages: expect.arrayContaining(["de"]),
      countries: expect.arrayContaining(["DE"]),
    });
    expect(detectLocale(["Pickup 11/24/2026", "Rate $1,250.00", "Portland, OR 97218"], today)).toMatchObject({
      decimal: ".",
      dateOrder: "MDY",
      countries: expect.arrayContaining(["US"]),
    });
  });

  test("includes the countries of its postal codes", async () => {
    const lines = ["37079 Göttingen", "63-300 Pleszew"];
    const { context } = await prepareGazetteer(shards, lines, detectLocale(lines, today));
    expect(context.countries).toEqual(expect.arrayContaining(["DE", "PL"]));
  });

  test("an entity has the position where it is printed", () => {
    const text = "Załadunek – 24.11.2026 8:00–14:00, ul. Długa 5, 87-200 Wąbrzeźno ﬁx";
    const printed = (entity: Entity) => text.slice(entity.start, entity.end);
    const found = Map.groupBy(findEntities(text, plain, gazetteer), ({ type }) => type);
    expect(found.get("Date")?.map(printed)).toEqual(["24.11.2026"]);
    expect(found.get("Time")?.map(printed)).toEqual(["8:00–14:00"]);
    expect(found.get("Street")?.map(printed)).toEqual(["ul. Długa 5"]);
    expect(found.get("Place")?.map(printed)).toContain("87-200 Wąbrzeźno");
  });
});
