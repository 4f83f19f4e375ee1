import { describe, expect, test } from "vitest";
import { extractPosted, reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string, name = "order.txt") => (await reading("order", text, name)).data;

const year = 2026;

describe("stops without a word for loading or unloading", () => {
  test.each([
    ["From", "To"],
    ["Von", "Nach"],
    ["Från", "Till"],
    ["Da:", "A:"],
    ["Desde", "Hasta"],
    ["Van", "Naar"],
    ["Odkud", "Kam"],
    ["Skąd", "Dokąd"],
  ])("%s and %s, each above an address, are loading and unloading", async (from, to) => {
    const { locations } = await order(`
TRANSPORT ORDER 4711-A                 Date: ${year}-11-02

${from}
Stahl Nord GmbH
Hafenweg 3
DE-28195 Bremen
24.11.${year} 08:00

${to}
Holz Elbe GmbH
Lohweg 9
DE-20457 Hamburg
25.11.${year} 10:00

Weight: 12 t
Freight: 480 EUR`);
    expect(locations?.map(({ type, city, startDate }) => [type, city, startDate])).toEqual([
      ["Loading", "Bremen", `${year}-11-24T08:00:00`],
      ["Unloading", "Hamburg", `${year}-11-25T10:00:00`],
    ]);
  });

  test.each([
    [
      "it",
      "La merce è da ritirare martedì 24.11.2026 presso Vetro Adige Srl, Via Bologna 12, 44124 Ferrara.",
      "Dovrà essere consegnata mercoledì 25.11.2026 a Luce Lazio Srl, Via Migliara 7, 04014 Pontinia.",
      ["Ferrara", "Pontinia"],
    ],
    [
      "fr",
      "Les palettes sont à enlever le 24.11.2026 chez Verre Adour SARL, 4 rue du Port, 64100 Bayonne.",
      "Elles seront livrées le 25.11.2026 chez Lampes Sud SARL, 8 rue Ampère, 31700 Blagnac.",
      ["Bayonne", "Blagnac"],
    ],
    [
      "nl",
      "De pallets worden op 24.11.2026 opgehaald bij Glas Maas BV, Havenweg 4, 3088 KA Rotterdam.",
      "Ze worden op 25.11.2026 afgeleverd bij Licht Gooi BV, Laanstraat 8, 1211 AB Hilversum.",
      ["Rotterdam", "Hilversum"],
    ],
  ])("sentences of a letter name the stops (%s)", async (_, load, unload, cities) => {
    const { locations } = await order(`Transport order 26/0771

${load}

${unload}

Freight: 780 EUR
Weight: 12 t
Truck: WGM 12345`);
    expect(locations?.map(({ type, city }) => [type, city])).toEqual([
      ["Loading", cities[0]],
      ["Unloading", cities[1]],
    ]);
  });
});

describe("the number of an order sent as a mail", () => {
  const mail = (subject: string, first: string) => `From: Anna Muster <anna@muster-sped.example>
To: Jan Nowak <dispo@nowak-trans.example>
Subject: ${subject}
Date: Tue, 03 Nov ${year} 08:15:00 +0100
Content-Type: text/plain; charset=utf-8

${first}

Loading: 24.11.${year}, Stahl Nord GmbH, Hafenweg 3, DE-28195 Bremen, ref. 55-120
Unloading: 25.11.${year}, Holz Elbe GmbH, Lohweg 9, DE-20457 Hamburg
Freight: 480 EUR

Kind regards,
Anna Muster
Muster Sped GmbH
Kanalstr. 7
24534 Neumünster`;

  test.each([
    ["Transport order N-26/1180", "please find our order below:", "N-26/1180"],
    ["Booking confirmed - GIF 26/4471 - Bremen to Hamburg", "our file GIF 26/4471 as agreed:", "GIF 26/4471"],
    ["as agreed", "Transport order: 88-4021", "88-4021"],
  ])("%s", async (subject, first, number) => {
    const { orderNumber } = await order(mail(subject, first), "order.eml");
    expect(orderNumber).toBe(number);
  });

  test("the sender's signature is not a stop, and the recipient is the carrier", async () => {
    const { locations, customer, carrier } = await order(mail("Transport order N-26/1180", "as agreed:"), "order.eml");
    expect(locations?.map(({ city }) => city)).toEqual(["Bremen", "Hamburg"]);
    expect(customer).toMatchObject({ name: "Muster Sped GmbH", city: "Neumünster" });
    expect(customer?.contactPerson?.name).toBe("Anna Muster");
    expect(carrier?.contactPerson).toMatchObject({ name: "Jan Nowak", email: "dispo@nowak-trans.example" });
  });
});

describe("dates and times of a stop", () => {
  const of = (load: string) => `
TRANSPORT ORDER 4711-A                 Date: ${year}-11-02
Loading: ${load}, Stahl Nord GmbH, Hafenweg 3, DE-28195 Bremen
Unloading: 30.11.${year}, Holz Elbe GmbH, Lohweg 9, DE-20457 Hamburg
Freight: 480 EUR`;

  test.each([
    [`onsdag d. 25/11-${year} kl. 10-14`, `${year}-11-25T10:00:00`, `${year}-11-25T14:00:00`],
    [`${year}-11-26 kl 13.00`, `${year}-11-26T13:00:00`, undefined],
    [`26.11.${year} od 8. do 12. ure`, `${year}-11-26T08:00:00`, `${year}-11-26T12:00:00`],
  ])("%s", async (load, start, end) => {
    const { locations } = await order(of(load));
    expect(locations?.[0]).toMatchObject({ city: "Bremen", startDate: start });
    expect(locations?.[0]?.endDate).toBe(end);
  });

  test("a bare number after the date and a word for the end is a time", async () => {
    const { locations } = await order(`
ZLECENIE TRANSPORTOWE 118/26
Załadunek: 24.11.${year}, Terminal Wschód, ul. Kontenerowa 7, 80-601 Gdańsk
Rozładunek: Meble Iława S.A., ul. Fabryczna 4, 14-200 Iława, 26.11.${year} do 16
Fracht 2150 PLN`);
    expect(locations?.[1]).toMatchObject({ city: "Iława", endDate: `${year}-11-26T16:00:00` });
  });
});

describe("the owner of an address", () => {
  test("an address beside the date of a stop belongs to the stop, whatever company is named above", async () => {
    const { locations, carrier } = await order(`
Zlecenie nr SK/771/26     Przewoźnik: Trans Wzór Sp. z o.o.
 Zał.: 26.11.${year} 07:00   Tartak Grybów, ul. Topolowa 2, 33-330 Grybów
 Rozł.: 27.11.${year} 07:00  Holz Franken KG, Nürnberger Str. 110, DE-96050 Bamberg
 Towar: tarcica 23 t       Fracht: 780 EUR`);
    expect(carrier).toMatchObject({ name: "Trans Wzór Sp. z o.o." });
    expect(locations?.map(({ type, city }) => [type, city])).toEqual([
      ["Loading", "Grybów"],
      ["Unloading", "Bamberg"],
    ]);
  });

  test("a British postcode followed by a date belongs to the stop", async () => {
    const { locations } = await order(`
HAULAGE CONFIRMATION MG-90412

Collection   Calder Textiles Ltd, Holmfield Road, Halifax HX3 6TX 26/11/${year} 11:00
Delivery     Fen Stores Ltd, Nene Road, Peterborough PE1 5XG 27/11/${year} 09:00
Rate GBP 465.00`);
    expect(locations?.map(({ postalCode, startDate }) => [postalCode, startDate])).toEqual([
      ["HX3 6TX", `${year}-11-26T11:00:00`],
      ["PE1 5XG", `${year}-11-27T09:00:00`],
    ]);
  });

  test("the label of a loading number does not apply below the next heading", async () => {
    const { locations } = await order(`
Zlecenie nr NW 0337182/26
Załadunek         24.11.${year} godz. 18:00
                  Czekolada Milicz Sp. z o.o., ul. Krotoszyńska 50, 56-300 Milicz
                  nr zał.: MIL/0091182
Rozładunek        26.11.${year} godz. 06:00
                  Lager Süd GmbH, Carl-Benz-Straße 5, DE 89231 Neu-Ulm
Fracht            1 420,00 EUR netto`);
    expect(locations?.map(({ type, city }) => [type, city])).toEqual([
      ["Loading", "Milicz"],
      ["Unloading", "Neu-Ulm"],
    ]);
  });
});

test("labels separated by a style sheet are not part of the values", async () => {
  const { locations } = await order(
    `<html><head><style>.k{color:#777;display:inline-block;width:150px}</style></head><body>
<h2>Prepravná objednávka 26OZ03917</h2>
<h4>Nakládka</h4><div><span class="k">Firma</span>Farby Nitra a.s.</div><div><span class="k">Adresa</span>Novozámocká 102, SK-949 05 Nitra</div>
<h4>Vykládka</h4><div><span class="k">Firma</span>Colori Brescia S.r.l.</div><div><span class="k">Adresa</span>Via Industriale 44, IT-25016 Ghedi</div>
<div>Cena: 1390 EUR</div></body></html>`,
    "order.html",
  );
  expect(locations?.map(({ name, street }) => [name, street])).toEqual([
    ["Farby Nitra a.s.", "Novozámocká 102"],
    ["Colori Brescia S.r.l.", "Via Industriale 44"],
  ]);
});

test("a mail that says where to send the invoice is not an invoice", async () => {
  const { status } = await extractPosted(
    "order",
    `Transportauftrag

übernehmen bei:  Werk Holsten GmbH, Gadelander Str. 120, 24539 Neumünster, 25.11.${year} 13 Uhr
abliefern bei:   Lager Elbe GmbH, Lohweg 9, 20457 Hamburg, 27.11.${year} 7-14 Uhr
Preis 990,- EUR
Rechnung bitte nur an buchhaltung@nordfracht.example`,
    "order.txt",
  );
  expect(status).not.toBe("Failed");
});
