import { describe, expect, test } from "vitest";
import { extractPosted, reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string, name = "order.txt") => (await reading("order", text, name)).data;

const year = 2026;

describe("the sender of an order whose first address is the recipient's", () => {
  test("the mail addresses show that the company at the foot is the sender", async () => {
    const { customer, carrier, locations } = await order(`
                                                                      SPEDITION

Lindholms Åkeri & Transport                                  Transportuppdrag nr 77120
Verkstadsgatan 9                                             Datum: ${year}-11-20
571 38 Nässjö                                                Er kontakt: Jonas Ek

Lastas:     ${year}-11-24 kl 08-11
            Hultsfred Möbler AB, Industrigatan 2, 577 36 Hultsfred
Lossas:     ${year}-11-25 kl 14
            Möbelhuset Odense A/S, Energivej 40, DK-5260 Odense S
Gods:       soffor och fåtöljer, 3 100 kg
Pris:       8 900 SEK + moms

Faktura skickas till faktura@sydfrakt.example märkt med uppdragsnummer.

Sydfrakt Spedition AB   Box 118   351 04 Växjö   Org.nr 556114-7712`);
    expect(customer).toMatchObject({ name: "Sydfrakt Spedition AB", city: "Växjö" });
    expect(carrier).toMatchObject({ name: "Lindholms Åkeri & Transport", city: "Nässjö" });
    expect(locations?.map(({ city }) => city)).toEqual(["Hultsfred", "Odense S"]);
  });

  test("the tax number beside the company at the foot shows that it is the sender", async () => {
    const { customer, carrier } = await order(`
                                                             BAZ LOGISTIK
Huber Transporte GmbH
Gewerbestraße 22
AT-6401 Inzing
                                                             Buchs, 20. November ${year}
Transportauftrag 26-3381

Ladeort      Sperrholz Tirol GmbH, Bahnstraße 4, AT-6300 Wörgl
Abladeort    Schreinerei Wüthrich AG, Hauptstrasse 77, CH-8580 Amriswil
Ware         Sperrholzplatten, 19'800 kg
Fracht       CHF 890.-- exkl. MWST

Alpina Logistik AG, Grünaustrasse 11, CH-9470 Buchs SG, MWST-Nr. CHE-102.338.471`);
    expect(customer).toMatchObject({ name: "Alpina Logistik AG", city: "Buchs SG", vatCode: "CHE102338471" });
    expect(carrier).toMatchObject({ name: "Huber Transporte GmbH", city: "Inzing" });
  });

  test("a tax number in the letterhead does not belong to the carrier below", async () => {
    const { customer, carrier } = await order(`
HOLLIN & CREWE FREIGHT LTD
Unit 3 Ropewalk Trading Est, Hull HU3 2BN   VAT GB 294 5512 83

Transport order        H/88213          20 November ${year}
Carrier: Tollgate Haulage (Doncaster) Ltd, Carr Hill, Doncaster DN4 8DE

Collect      Tues 24 Nov, 0800-1000
             King George Dock, Hull HU9 5PR
Deliver      Weds 25 Nov, booked 0630 (ref FX2207)
             Wickes Regional DC
             Brackmills, Northampton NN4 7PD
Rate GBP 385. Terms 30 days from receipt of clear POD.`);
    expect(customer).toMatchObject({ vatCode: "GB294551283", postalCode: "HU3 2BN", city: "Hull" });
    expect(carrier).toMatchObject({ name: "Tollgate Haulage (Doncaster) Ltd" });
    expect(carrier?.vatCode).toBeUndefined();
  });
});

test("orders under one letterhead share it and the text below the last of them, except the total of all", async () => {
  const { items } = await extractPosted(
    "order",
    `
TRANSPORTES DEL TURIA, S.L.      CIF B96331207
C/ Els Gremis 14, 46014 Valencia     trafico@turia.example
Fecha: 20/11/${year}

ORDEN DE CARGA Nº 26/4471
  Carga:      24/11/${year} 10:00 h   Cerámicas Onda SL, Ctra. Ribesalbes km 3, 12200 Onda
  Descarga:   25/11/${year} 8:00-13:00   Saneamientos Duero SA, C/ Forja 22, 47012 Valladolid
  Precio:     720 € + IVA

ORDEN DE CARGA Nº 26/4472
  Carga:      26/11/${year} 15:00   Bodegas Ribera SL, Calle Mayor 2, 47315 Pesquera
  Descarga:   27/11/${year} 9:00   Vinoteca SL, Av. de la Industria 5, 46980 Paterna
  Precio:     610 € + IVA

Total: 1.330 €
Matrícula: 4417 LKM / R-2207-BCF     Conductor: José Oliva 655 555 310`,
    "orders.txt",
  );
  expect(items.map(({ data }) => data.payments?.price)).toEqual([720, 610]);
  for (const { data } of items) {
    expect(data.customer).toMatchObject({ name: "TRANSPORTES DEL TURIA, S.L.", city: "Valencia" });
    expect(data.carrier?.drivers).toMatchObject([{ name: "José Oliva" }]);
    expect(data.vehiclesLicensePlates).toEqual(["4417LKM"]);
  }
});

test("a table of stops with a letter for loading or unloading in each row is read", async () => {
  const row = (cells: string[], tag = "td") => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const { locations, carrier } = await order(
    `<html><body><h3>Nalog za prijevoz 2210-26</h3><p>Datum: 20.11.${year}.</p>
<p>Prijevoznik: Transport Dujmović j.d.o.o., Ozaljska 9, 47000 Karlovac</p><table border="1">${[
      row(["R.br.", "Mjesto", "Termin", "Roba", "Ref."], "th"),
      row(["1 U", "Cement d.d., Salonitanska 2, 21210 Solin", `24.11.${year}. 08:00`, "cement", "C-118"]),
      row(["2 U", "Kamen d.o.o., Put Sv. Petra 8, 21400 Supetar", `24.11.${year}. 14:00`, "ploče", "KB 77"]),
      row(["3 I", "Edil S.r.l., Via Flavia 100, IT-34148 Trieste", `25.11.${year}. 09:00`, "sve", "E-4"]),
    ].join("")}</table><p>Cijena: 1.050,00 EUR bez PDV-a. U = utovar, I = istovar.</p></body></html>`,
    "order.html",
  );
  expect(locations?.map(({ type, city }) => [type, city])).toEqual([
    ["Loading", "Solin"],
    ["Loading", "Supetar"],
    ["Unloading", "Trieste"],
  ]);
  expect(carrier).toMatchObject({ city: "Karlovac" });
});

test("a mail that accepts the offer quoted below it is read", async () => {
  const { locations, customer, orderDate } = await order(
    `From: "Hélène Astier" <h.astier@valfret.example>
To: devis@bonnefoy.example
Subject: RE: Proposition Valence - Anvers
Date: Thu, 19 Nov ${year} 11:20:00 +0100
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Bonjour,
OK pour votre offre, merci de considérer ce mail comme notre commande de transport n° VF-26/0912.

Cordialement,
Hélène Astier
VALFRET SAS - 3 rue du Lac - 26000 Valence

-----Message d'origine-----
De : devis@bonnefoy.example
Envoyé : jeudi 19 novembre ${year} 09:47
À : h.astier@valfret.example
Objet : Proposition Valence - Anvers

Chargement le 23/11/${year} de 8h à 12h : Fruits du Rhône SAS, 12 chemin des Vergers, 26120 Chabeuil
Livraison le 25/11/${year} à 7h : Antwerp Fresh NV, Kaai 730, 2030 Antwerpen, Belgique
Marchandise : pommes, 33 palettes, 21 t
Prix : 1250 € HT
`,
    "order.eml",
  );
  expect(locations?.map(({ city, startDate }) => [city, startDate])).toEqual([
    ["Chabeuil", `${year}-11-23T08:00:00`],
    ["Antwerpen", `${year}-11-25T07:00:00`],
  ]);
  expect(customer).toMatchObject({ name: "VALFRET SAS", city: "Valence" });
  expect(orderDate).toBe(`${year}-11-19`);
});

describe("dates without a year after the name of a weekday", () => {
  const of = (load: string, unload: string) => `
TRANSPORT ORDER 4711-A                 Date: ${year}-11-02
${load}, Stahl Nord GmbH, Hafenweg 3, DE-28195 Bremen
${unload}, Holz Elbe GmbH, Lohweg 9, DE-20457 Hamburg
Freight: 480 EUR`;

  test.each([
    ["Chargement : lundi 23/11 entre 8h et 11h30", "Livraison : mardi 24/11 à 14h"],
    ["Lastning: Må 23/11 kl 08-11.30", "Lossning: Ti 24/11 kl 14.00"],
    ["Carico: LUNEDI' 23/11 ORE 8.00/11.30", "Scarico: MARTEDI' 24/11 ORE 14.00"],
  ])("%s", async (load, unload) => {
    const { locations } = await order(of(load, unload));
    expect(locations?.map(({ startDate, endDate }) => [startDate, endDate])).toEqual([
      [`${year}-11-23T08:00:00`, `${year}-11-23T11:30:00`],
      [`${year}-11-24T14:00:00`, undefined],
    ]);
  });
});

test("the person named after the plates is the driver", async () => {
  const { carrier } = await order(`
ZLECENIE TRANSPORTOWE 118/26
Przewoźnik: Kaszub Trans Sp. z o.o., ul. Leśna 2, 84-200 Wejherowo, GWE 4418K / GWE 9PK7, Rafał Okoń +48 607 555 014
Załadunek: 24.11.${year}, Terminal Wschód, ul. Kontenerowa 7, 80-601 Gdańsk
Rozładunek: 24.11.${year}, Meble Iława S.A., ul. Fabryczna 4, 14-200 Iława
Pojazd: GWE 4418K / GWE 9PK7, Rafał Okoń +48 607 555 014
Fracht 2150 PLN`);
  expect(carrier?.drivers).toEqual([{ name: "Rafał Okoń", phone: "+48 607 555 014" }]);
});
