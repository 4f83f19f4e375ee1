import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string, name = "order.txt") => (await reading("order", text, name)).data;

/** The labels of an order in one language, and its parties. */
interface Voice {
  words: { title: string; date: string; carrier: string; load: string; unload: string; goods: string; plates: string };
  money: { price: string; days: string };
  customer: [name: string, street: string, town: string];
  carrier: [name: string, street: string, town: string];
  person: [name: string, mailbox: string];
}

const voices: Record<string, Voice> = {
  en: {
    words: {
      title: "TRANSPORT ORDER",
      date: "Date",
      carrier: "Carrier",
      load: "Loading",
      unload: "Unloading",
      goods: "Goods",
      plates: "Plates",
    },
    money: { price: "Price: 1,480.00 EUR", days: "Payment: 45 days" },
    customer: ["Harbour Lane Freight Ltd", "Quay Street 12", "DE-28195 Bremen"],
    carrier: ["Roadwise Haulage Ltd", "Mill Lane 4", "DE-20457 Hamburg"],
    person: ["Ellen Marsh", "e.marsh@harbourlane.example"],
  },
  de: {
    words: {
      title: "TRANSPORTAUFTRAG",
      date: "Datum",
      carrier: "Frachtführer",
      load: "Beladung",
      unload: "Entladung",
      goods: "Ware",
      plates: "Kennzeichen",
    },
    money: { price: "Fracht: 1.480,00 EUR", days: "Zahlungsziel: 45 Tage" },
    customer: ["Taunuslinie Spedition GmbH", "Mainkai 8", "DE-60311 Frankfurt"],
    carrier: ["Fuhrwerk Bader GmbH", "Lohweg 3", "DE-80331 München"],
    person: ["Jana Böhm", "boehm@taunuslinie.example"],
  },
  pl: {
    words: {
      title: "ZLECENIE TRANSPORTOWE",
      date: "Data",
      carrier: "Przewoźnik",
      load: "Załadunek",
      unload: "Rozładunek",
      goods: "Towar",
      plates: "Pojazd",
    },
    money: { price: "Fracht: 1 480,00 EUR", days: "Termin płatności: 45 dni" },
    customer: ["Bałtyk Linie Sp. z o.o.", "ul. Portowa 5", "PL-81-350 Gdynia"],
    carrier: ["Wilk Transport Sp. z o.o.", "ul. Leśna 9", "PL-60-101 Poznań"],
    person: ["Olga Wrona", "owrona@baltyklinie.example"],
  },
  cs: {
    words: {
      title: "OBJEDNÁVKA PŘEPRAVY",
      date: "Datum",
      carrier: "Dopravce",
      load: "Nakládka",
      unload: "Vykládka",
      goods: "Zboží",
      plates: "SPZ",
    },
    money: { price: "Cena: 1 480,00 EUR", days: "Splatnost: 45 dní" },
    customer: ["Vltava Cargo s.r.o.", "Nábřežní 14", "CZ-110 00 Praha"],
    carrier: ["Autodoprava Hora s.r.o.", "Polní 2", "CZ-602 00 Brno"],
    person: ["Milan Dvořák", "m.dvorak@vltavacargo.example"],
  },
  it: {
    words: {
      title: "ORDINE DI TRASPORTO",
      date: "Data",
      carrier: "Vettore",
      load: "Carico",
      unload: "Scarico",
      goods: "Merce",
      plates: "Targhe",
    },
    money: { price: "Nolo: 1.480,00 EUR", days: "Pagamento: 45 giorni" },
    customer: ["Laguna Spedizioni S.r.l.", "Via Molo 7", "IT-30121 Venezia"],
    carrier: ["Autotrasporti Brenta S.r.l.", "Via Arsa 21", "IT-20121 Milano"],
    person: ["Carla Neri", "carla.neri@lagunaspedizioni.example"],
  },
  es: {
    words: {
      title: "ORDEN DE CARGA",
      date: "Fecha",
      carrier: "Transportista",
      load: "Carga",
      unload: "Descarga",
      goods: "Mercancía",
      plates: "Matrículas",
    },
    money: { price: "Precio: 1.480,00 EUR", days: "Pago: 45 días" },
    customer: ["Meseta Logística S.L.", "Calle Mayor 30", "ES-28001 Madrid"],
    carrier: ["Transportes Duero S.L.", "Calle Norte 6", "ES-46001 Valencia"],
    person: ["Rosa Gil", "rgil@mesetalogistica.example"],
  },
  nl: {
    words: {
      title: "TRANSPORTOPDRACHT",
      date: "Datum",
      carrier: "Vervoerder",
      load: "Laden",
      unload: "Lossen",
      goods: "Goederen",
      plates: "Kenteken",
    },
    money: { price: "Vrachtprijs: 1.480,00 EUR", days: "Betaling: 45 dagen" },
    customer: ["Polderlijn Expeditie B.V.", "Kade 11", "NL-1011 AB Amsterdam"],
    carrier: ["Veerman Transport B.V.", "Dijkweg 40", "NL-3011 AA Rotterdam"],
    person: ["Sanne Vos", "s.vos@polderlijn.example"],
  },
  sv: {
    words: {
      title: "TRANSPORTUPPDRAG",
      date: "Datum",
      carrier: "Åkeri",
      load: "Lastning",
      unload: "Lossning",
      goods: "Gods",
      plates: "Fordon",
    },
    money: { price: "Fraktpris: 1 480,00 EUR", days: "Betalning: 45 dagar" },
    customer: ["Norrfrakt Spedition AB", "Hamngatan 2", "SE-111 22 Stockholm"],
    carrier: ["Björkåkeriet AB", "Skogsvägen 8", "SE-411 04 Göteborg"],
    person: ["Lena Holm", "lena.holm@norrfrakt.example"],
  },
};

const stops = {
  load: ["Alfa Werke GmbH", "Ringstr. 4", "DE-50667 Köln", "25.11.2026 08:00-12:00", "LX-40117"],
  unload: ["Beta Stores GmbH", "Gartenstr. 9", "AT-1010 Wien", "27.11.2026 07:00", "BZ-99120"],
};

type Layout = (voice: Voice) => [name: string, text: string];

const inLine: Layout = ({ words, money, customer, carrier, person }) => [
  "order.txt",
  [
    customer.join(", "),
    "",
    `${words.title} K-5501   ${words.date}: 23.11.2026`,
    `${words.carrier}: ${carrier.join(", ")}`,
    `${words.load}: ${stops.load.join(", ")}`,
    `${words.unload}: ${stops.unload.join(", ")}`,
    `${words.goods}: 18 400 kg`,
    `${words.plates}: AB 123 CD / AB 456 CE`,
    money.price,
    money.days,
    "",
    person[0],
    person[1],
  ].join("\n"),
];

const inColumns: Layout = ({ words, money, customer, carrier, person }) => {
  const wide = (left: string, right: string) => left.padEnd(46) + right;
  const [a, b] = [stops.load, stops.unload];
  return [
    "order.txt",
    [
      wide(customer[0], `${words.title} K-5501`),
      wide(customer[1], `${words.date}: 23.11.2026`),
      wide(customer[2], person[0]),
      wide("", person[1]),
      "",
      `${words.carrier}: ${carrier.join(", ")}`,
      "",
      wide([...words.load.toUpperCase()].join(" "), [...words.unload.toUpperCase()].join(" ")),
      ...a.map((line, at) => wide(line, b[at] ?? "")),
      "",
      `${words.goods}: 18 400 kg`,
      `${words.plates}: AB 123 CD / AB 456 CE`,
      `${money.price}    ${money.days}`,
    ].join("\n"),
  ];
};

const inTerms: Layout = ({ words, money, customer, carrier, person }) => {
  const rows: [string, string][] = [
    [words.date, "23.11.2026"],
    [words.carrier, carrier.join(", ")],
    [words.load, `${stops.load[3]}<br>${stops.load.slice(0, 3).join(", ")}<br>${stops.load[4]}`],
    [words.unload, `${stops.unload[3]}<br>${stops.unload.slice(0, 3).join(", ")}<br>${stops.unload[4]}`],
    [words.goods, "18 400 kg"],
    [words.plates, "AB 123 CD / AB 456 CE"],
    money.price.split(": ") as [string, string],
    money.days.split(": ") as [string, string],
  ];
  const terms = rows.map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`).join("");
  return [
    "order.html",
    `<meta charset="utf-8"><p>${customer.join("<br>")}</p><h1>${words.title} K-5501</h1><dl>${terms}</dl><p>${person.join("<br>")}</p>`,
  ];
};

const layouts = { inLine, inColumns, inTerms };

const town = (text: string) => text.replace(/^.*\d(?: [A-Z]{2})? /u, "");

describe("orders in several layouts", () => {
  const all = Object.entries(voices).flatMap(([language, voice]) =>
    Object.entries(layouts).map(([layout, set]) => ({ language, layout, voice, set })),
  );
  test.each(all)("$language $layout", async ({ voice, set }) => {
    const [name, text] = set(voice);
    expect(await order(text, name)).toMatchObject({
      orderNumber: "K-5501",
      orderDate: "2026-11-23",
      customer: {
        name: voice.customer[0],
        street: voice.customer[1],
        city: town(voice.customer[2]),
        contactPerson: { name: voice.person[0], email: voice.person[1] },
      },
      carrier: { name: voice.carrier[0], street: voice.carrier[1], city: town(voice.carrier[2]) },
      locations: [
        {
          type: "Loading",
          name: "Alfa Werke GmbH",
          street: "Ringstr. 4",
          city: "Köln",
          startDate: "2026-11-25T08:00:00",
          endDate: "2026-11-25T12:00:00",
          refrenceNumbers: ["LX-40117"],
        },
        {
          type: "Unloading",
          name: "Beta Stores GmbH",
          street: "Gartenstr. 9",
          city: "Wien",
          startDate: "2026-11-27T07:00:00",
          refrenceNumbers: ["BZ-99120"],
        },
      ],
      payments: { price: 1480, currency: "EUR", paymentDays: 45 },
      vehiclesLicensePlates: ["AB123CD"],
      trailersLicensePlates: ["AB456CE"],
    });
  });
});

/** Makes an order with additional lines. */
const withLines = (...lines: string[]) => `Meridian Freight Ltd, Long Road 8, DE-20457 Hamburg

TRANSPORT ORDER M-7710
Loading: 25.11.2026, Alfa Werke GmbH, Ringstr. 4, DE-50667 Köln
Unloading: 27.11.2026, Beta Stores GmbH, Gartenstr. 9, AT-1010 Wien
${lines.join("\n")}
`;

describe("values without labels", () => {
  test.each([
    ["a name before a number to call", "Iris Lund 040 555 81 20", { name: "Iris Lund", phone: "040 555 81 20" }],
    [
      "a rank before the name that the mailbox spells",
      "Dr. Iris Lund, lund@meridianfreight.example, 040/555 81 20",
      { name: "Dr. Iris Lund", email: "lund@meridianfreight.example", phone: "040/555 81 20" },
    ],
    [
      "a mailbox of a domain named after the firm, below the stops",
      "Prepared by: Iris Lund    040 555 81 20    iris.lund@meridian-freight.example",
      { name: "Iris Lund", email: "iris.lund@meridian-freight.example" },
    ],
  ])("%s", async (_, line, contactPerson) => {
    expect((await order(withLines("Price: 900 EUR", "", line))).customer).toMatchObject({ contactPerson });
  });

  test("a mail address of another company does not belong to the customer's contact", async () => {
    const { customer } = await order(withLines("Gate: j.berg@otherfirm.example"));
    expect(customer?.contactPerson?.name).toBeUndefined();
  });

  test.each([
    ["Invoices: billing@meridian.example", "billing@meridian.example"],
    ["Questions to desk@meridian.example, invoices as PDF to paper@meridian.example", "paper@meridian.example"],
  ])("the mail address for invoices is found: %s", async (line, invoiceEmail) => {
    expect(await order(withLines(line))).toMatchObject({ invoiceEmail });
  });

  test("a mail address without a word for invoices is not the one for invoices", async () => {
    expect(await order(withLines("Desk: desk@meridian.example"))).not.toHaveProperty("invoiceEmail");
  });

  test("two consecutive plates belong to a lorry and its trailer", async () => {
    expect(await order(withLines("Your unit is confirmed, WGM 41182 + WGM 77LA."))).toMatchObject({
      vehiclesLicensePlates: ["WGM41182"],
      trailersLicensePlates: ["WGM77LA"],
    });
  });

  test("the only amount is the price, but an hourly rate is not", async () => {
    const { payments } = await order(withLines("18 400 kg, 1 250,00 EUR, 30 days"));
    expect(payments).toMatchObject({ price: 1250, currency: "EUR" });
    expect((await order(withLines("Demurrage, 60 EUR/h"))).payments?.price).toBeUndefined();
  });

  test.each(["Price 410.00 EUR excl. VAT (500.20 EUR incl. VAT)", "Price 410.00 EUR\nWaiting time, free for 2 h"])(
    "the price is found: %s",
    async (lines) => {
      expect((await order(withLines(lines))).payments).toMatchObject({ price: 410, additionalCharges: 0 });
    },
  );

  test.each([
    ["Ref. DDT 2241", "DDT 2241"],
    ["Delivery note: 2241", "2241"],
    ["Slot 7719", "7719"],
    ["QX-55108 (loading ref.)", "QX-55108"],
    ["QX-55108", "QX-55108"],
  ])("the reference number of a stop is found: %s", async (line, number) => {
    const text = withLines().replace("DE-50667 Köln", `DE-50667 Köln\n         ${line}`);
    expect((await order(text)).locations?.[0]?.refrenceNumbers).toEqual([number]);
  });

  test("a company with street, town and tax number, separated on one line, is the customer", async () => {
    const text = `SERVICE NOTE M-7710
Carrier: Roadwise Haulage Ltd, Mill Lane 4, DE-28195 Bremen
Loading: 25.11.2026, Alfa Werke GmbH, Ringstr. 4, DE-50667 Köln
Unloading: 27.11.2026, Beta Stores GmbH, Gartenstr. 9, AT-1010 Wien
Goods: 18 400 kg
Price: 900 EUR

Meridian Freight Ltd    North Yard, lot 7    DE-20457 Hamburg    VAT DE811128135`;
    const { customer, locations } = await order(text);
    expect(customer).toMatchObject({ name: "Meridian Freight Ltd", street: "North Yard, lot 7", city: "Hamburg" });
    expect(locations).toHaveLength(2);
  });
});
