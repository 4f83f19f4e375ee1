import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string, name = "order.txt") => (await reading("order", text, name)).data;
const year = new Date().getUTCFullYear() + 1;

describe("a letter begins each row of the stops", () => {
  const lists: [string, string, string[]][] = [
    [
      "explained at the foot",
      `
Ladeauftrag 4711-88120                                          24.11.${year}
Nordlicht Spedition GmbH, Kieler Str. 90, 24768 Rendsburg
Unternehmer: Spedycja Kaszuby Sp. z o.o., ul. Gdańska 11, 83-300 Kartuzy

Nr. Art  Datum       Zeit          Ort                                          Menge  Einheit  Gewicht
1   H    26.11.${year}  06:00-10:00   Werft Nobel, Am Eiland 4, 24768 Rendsburg        4  Kisten    2.300 kg
2   H    26.11.${year}  13:00-15:00   Holz Petersen, Dorfstr. 8, 24787 Fockbek         8  Paletten  6.100 kg
3   B    27.11.${year}  ab 07:00      Stocznia Motława, ul. Doki 1, 80-863 Gdańsk      4  Kisten    2.300 kg
(H = Abholung, B = Anlieferung)
Frachtpreis 890,00 EUR. Zahlung 45 Tage.`,
      ["Loading Rendsburg", "Loading Fockbek", "Unloading Gdańsk"],
    ],
    [
      "usual in Polish, with more lines below each",
      `
ZLECENIE NR 26/11/0771          Szczecin, 24.11.${year}
Zleceniobiorca: TRANS-MIKRO Jan Mikro, ul. Polna 2, 72-100 Goleniów

Lp  Z/R  Termin              Firma i adres
1   Z    26.11.${year} 8:00     Cukrownia Pyrzyce
                             ul. Stargardzka 5
                             74-200 Pyrzyce
2   R    27.11.${year} 7:00     Bäckerei Uckermark GmbH
                             Ringstr. 4
                             DE 17291 Prenzlau
Towar: cukier 24 000 kg. Stawka: 520 EUR + VAT, termin płatności 30 dni.`,
      ["Loading Pyrzyce", "Unloading Prenzlau"],
    ],
    [
      "usual in Czech",
      `
Přepravní objednávka PP-26/8812       24.11.${year}
Dopravce: Autodoprava Příklad a.s., Nádražní 9, 750 02 Přerov

1   N   26.11.${year} 7:00-12:00   Sklárny Vsetín a.s., Jiráskova 701, 755 01 Vsetín         20 palet  9 800 kg
2   V   27.11.${year} 14:00        Getränke Lausitz GmbH, Löbauer Str. 50, DE 02625 Bautzen  20 palet  9 800 kg
Cena přepravy: 620 EUR bez DPH, splatnost 45 dnů. Vozidlo: plachta.`,
      ["Loading Vsetín", "Unloading Bautzen"],
    ],
  ];

  test.each(lists)("%s", async (_, text, stops) => {
    const { locations } = await order(text);
    expect(locations?.map(({ type, city }) => `${type} ${city}`)).toEqual(stops);
  });

  test("numbers in a column count the unit of the next column", async () => {
    const { locations } = await order(lists[0]![1]);
    expect(locations?.map(({ cargo }) => [cargo?.[0]?.pallets, cargo?.[0]?.quantity])).toEqual([
      [undefined, 4],
      [8, undefined],
      [undefined, undefined],
    ]);
  });
});

test("a single word begins a row with an address, and half a postcode is not a quantity", async () => {
  const { locations } = await order(`
HAULAGE JOB ORDER MG-90412
To haulier: Roadwise Haulage Ltd, Mill Lane 4, Boston PE20 2JX

1. COLLECT EMPTY    Dockside Depot, Regent Road, Liverpool L21 1LA      26/11/${year} 06:00
2. LOAD             Calder Textiles Ltd, Holmfield Road, Halifax HX3 6TX   26/11/${year} 11:00
3. TIP              Seaforth Terminal Ltd, Dock Road, Liverpool L21 4PZ    26/11/${year} 22:00
Goods: woven fabric, 18,220 kg
Rate: GBP 465.00`);
  expect(locations?.filter(({ type }) => type !== "Stop").map(({ type, city }) => [type, city])).toEqual([
    ["Loading", "Halifax"],
    ["Unloading", "Liverpool"],
  ]);
  expect(locations?.flatMap(({ cargo = [] }) => cargo.flatMap(({ quantity }) => quantity ?? []))).toEqual([]);
});

describe("quantities of goods", () => {
  test.each([
    ["Cargo: butter, 26 blokpallets, 18 400 kg", { pallets: 26 }],
    ["Cargo: sawn timber, 21 stillages, 23 000 kg", { quantity: 21 }],
    ["Cargo: machine parts. Packages: 9. Weight: 12 450 kg", { quantity: 9 }],
  ])("%s", async (line, wanted) => {
    const { locations } = await order(`
TRANSPORT ORDER 2231-A
Loading: 24.11.${year} Mill Ltd, Polderweg 8, NL-3089 JG Rotterdam
Unloading: 25.11.${year} Depot GmbH, Lohweg 9, DE-20457 Hamburg
${line}
Price: 1,480.00 EUR`);
    const { pallets, quantity } = locations?.[0]?.cargo?.[0] ?? {};
    expect({ pallets, quantity }).toEqual({ pallets: undefined, quantity: undefined, ...wanted });
  });
});

test("the weight of one sack is not the weight of the load", async () => {
  const { locations } = await order(`
TRANSPORT ORDER 2231-A
Loading: 24.11.${year} Mill Ltd, Polderweg 8, NL-3089 JG Rotterdam
Unloading: 25.11.${year} Depot GmbH, Lohweg 9, DE-20457 Hamburg
Goods: adhesive mortar in bags 25 kg, 20 pallets, 20 800 kg
Price: 1,480.00 EUR`);
  expect(locations?.[0]?.cargo?.[0]?.weight).toBe(20_800);
});

describe("payment terms and reference numbers", () => {
  const printed = (terms: string) =>
    order(`
HAULAGE CONFIRMATION 26-118843 / 01
Haulier: Roadwise Haulage Ltd, Mill Lane 4, Boston PE20 2JX
Collection: 26.11.${year} Calder Textiles Ltd, Holmfield Road, Halifax HX3 6TX, ref. PG 771 120
Delivery: 27.11.${year} Fen Stores Ltd, Nene Road, Peterborough PE1 5XG
Rate: GBP 465.00
${terms}`);

  test.each([
    ["Terms: 28 days", 28],
    ["Terms: Net 30, quick pay 3%", 30],
    ["Terms: goods are insured for 10 days after loading.", undefined],
  ])("%s", async (terms, days) => {
    expect((await printed(terms)).payments?.paymentDays).toBe(days);
  });

  test("a number continues after a slash or a blank", async () => {
    const { orderNumber, locations } = await printed("");
    expect([orderNumber, locations?.[0]?.refrenceNumbers]).toEqual(["26-118843 / 01", ["PG 771 120"]]);
  });

  test("a plate is not a length in loading metres", async () => {
    const { locations } = await order(`
ORDINE DI TRASPORTO 2231
Carico: 26.11.${year} Ceramiche Secchia SpA, Via Radici 14, 42014 Castellarano
Scarico: 27.11.${year} Fliesenhaus GmbH, Daimlerstr. 9, DE-87437 Kempten
Merce: piastrelle, kg 24.000. Targa FK 512 LM - XA 771 BD
Nolo: 950,00 EUR`);
    expect(locations?.[0]?.cargo?.[0]).not.toHaveProperty("ldm");
  });
});

describe("the contact person who wrote the order", () => {
  test.each([
    ["Bearbeiter: R. Beispiel, 05141 / 55 50 - 23", "R. Beispiel", "05141 / 55 50 - 23"],
    ["Sachb.: K. Muster, 05141 555023", "K. Muster", "05141 555023"],
    ["Referent: Tihana Primjer, 091 555 2208", "Tihana Primjer", "091 555 2208"],
    ["Operatore: M. Campione, int. 214", "M. Campione", undefined],
  ])("%s, beside the carrier's lines", async (clerk, name, phone) => {
    const { customer, carrier } = await order(`
SPEDITION ALLERTAL GMBH              Transportauftrag 2026/31190
Industriestr. 5, 29227 Celle

An: Kaminski Transporte e.K.                        Datum: 24.11.${year}
    Lüneburger Heerstr. 14                          ${clerk}
    29223 Celle

Beladung: 25.11.${year} Quarzwerk Nord GmbH, Am Bruch 2, 29320 Hermannsburg
Entladung: 26.11.${year} Glas Steinau GmbH, Hüttenweg 17, 96355 Tettau
Fracht: EUR 780,00`);
    expect([customer?.contactPerson?.name, customer?.contactPerson?.phone]).toEqual([name, phone]);
    expect(carrier).toMatchObject({ name: "Kaminski Transporte e.K.", city: "Celle" });
    expect(carrier?.contactPerson).toBeUndefined();
  });
});

const foot = (line: string) =>
  order(`
NALOG ZA PRIJEVOZ 1187
Prijevoznik: Prijevoz Hrast d.o.o., Ulica Matije Gupca 44, 32100 Vinkovci
Utovar: Tvornica ulja d.d., Priljevo 2, HR-32000 Vukovar, 23.11.${year}
Istovar: Veleprodaja d.o.o., Dračevac 2, HR-21000 Split, 24.11.${year}
${line}`);

describe("the end of an order", () => {
  test("the price is the amount to which the tax is added", async () => {
    const { payments } = await foot("Cijena: 720,00 EUR + PDV 25 % (180,00 EUR), ukupno 900,00 EUR");
    expect(payments).toMatchObject({ price: 720, totalNetAmount: 720 });
  });

  test("a surcharge in percent is not a tax", async () => {
    const { payments } = await foot("Cijena: 720,00 EUR + gorivo 10 % 72,00 EUR, ukupno 792,00 EUR");
    expect(payments?.price).toBe(792);
  });

  test("a place and a date give the date of the order", async () => {
    expect((await foot(`Cijena: 720,00 EUR\n\nRijeka, 20.11.${year}.\nAna Primjer`)).orderDate).toBe(`${year}-11-20`);
  });
});

describe("a town marked as a town", () => {
  const zayavka = (place: string) =>
    order(`
ЗАЯВКА № 771 від 24.11.${year}
Перевізник: ФОП Зразок Петро Іванович, 43000, м. Луцьк, вул. Рівненська, 7
Завантаження: 26.11.${year} 08:00, ТОВ «Меблі Волині», ${place}
Розвантаження: 28.11.${year}, Möbel Ost GmbH, Gewerbering 4, 02828 Görlitz, Німеччина
Вантаж: меблі, 8 т. Вартість: 1150 EUR`);

  test.each([
    ["м. Ковель, вул. Варшавська, 12, 45000", ["45000", "Ковель", "вул. Варшавська, 12"]],
    ["45000, м. Ковель, вул. Варшавська, 12", ["45000", "Ковель", "вул. Варшавська, 12"]],
  ])("%s", async (place, wanted) => {
    const [loading] = (await zayavka(place)).locations ?? [];
    expect(loading).toMatchObject({ type: "Loading", name: "ТОВ «Меблі Волині»" });
    expect([loading?.postalCode, loading?.city, loading?.street]).toEqual(wanted);
  });
});

describe("numbers after unknown words", () => {
  test.each([
    ["Godsmärkt: UBS 4418-7", ["UBS 4418-7"]],
    ["Pallmärke: SM/PO 30911", ["SM/PO 30911"]],
  ])("%s", async (line, wanted) => {
    const { locations, payments } = await order(`
TRANSPORTUPPDRAG 90441827
Till: Exempel Åkeri AB, Verkstadsvägen 4, 352 45 Växjö
Lastning: 24.11.${year} Stål AB, Älvgatan 4, 683 33 Hagfors
${line}
Lossning: 25.11.${year} Mekaniska AB, Verkstadsgatan 14, 252 27 Helsingborg
Pris: 11 800,00 SEK
Faktura skickas till faktura@granfrakt.example, 30 dagar netto.`);
    expect(locations?.[0]?.refrenceNumbers).toEqual(wanted);
    expect(payments?.paymentDays).toBe(30);
  });
});
