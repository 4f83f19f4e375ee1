import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

const order = async (text: string) => (await reading("order", text, "order.txt")).data;

const loading = `Ladestelle: 24.11.2026 08:00
Stahl Nord GmbH
Hafenweg 3
28195 Bremen
12 Paletten, 9.000 kg`;
const unloading = `Entladestelle: 25.11.2026
Holz Elbe GmbH
Lohweg 9
20457 Hamburg`;

const german = (head: string, stop = loading) =>
  order(`TRANSPORTAUFTRAG Nr. 4711\n\n${head}\n\n${stop}\n\n${unloading}\n\nFracht: 480,00 EUR\n`);

describe("the addressee", () => {
  test.each([
    ["en", "To:              Baltic Trans UAB, Taikos pr. 88, LT-94114 Klaipėda"],
    ["nl", "Aan: Baltic Trans UAB, Taikos pr. 88, LT-94114 Klaipėda"],
    ["pl", "Dla: Baltic Trans UAB, Taikos pr. 88, LT-94114 Klaipėda"],
    ["uk", "Кому: Baltic Trans UAB, Taikos pr. 88, LT-94114 Klaipėda"],
  ])("is the carrier: %s", async (_, line) => {
    const { customer, carrier } = await german(
      `Nordlicht Spedition KG\nAm Speicher 12\n20457 Hamburg\n\n${line}\nReferenz 118`,
    );
    expect([customer?.name, carrier?.name]).toEqual(["Nordlicht Spedition KG", "Baltic Trans UAB"]);
  });

  test("a contact below the payer belongs to the customer", async () => {
    const { customer } = await order(`ZLECENIE TRANSPORTOWE nr 118/26
Zleceniodawca          Wschód Spedycja Sp. z o.o., ul. Logistyczna 1, 55-040 Bielany Wrocławskie
Płatnik                Wschód Freight GmbH, Hafenring 40, 15859 Storkow
Osoba prowadząca       Ewa Nowak, tel. 71 555 62 19
Przewoźnik             Kar-Trans Spółka Jawna, Zgorzelecka 9, 59-800 Lubań

Załadunek              24.11.2026 godz. 18:00
                       Stal Odra Sp. z o.o., ul. Krotoszyńska 50, 56-300 Milicz
Rozładunek             26.11.2026 godz. 06:00
                       Holz Elbe GmbH, Lohweg 9, 20457 Hamburg
Fracht                 1420,00 EUR`);
    expect(customer?.contactPerson?.name).toBe("Ewa Nowak");
  });

  test("a street name that equals a word for loading does not start a stop", async () => {
    const { customer, locations } = await order(`OBJEDNÁVKA PŘEPRAVY č. 26/1187
Objednatel: Labe Spedice s.r.o., Nakládka 12, 170 00 Praha 7

Nakládka: 24.11.2026 8:00
Pila Vrba s.r.o., Polní 8, 541 01 Trutnov

Vykládka: 26.11.2026
Holz Elbe GmbH, Lohweg 9, 20457 Hamburg

Cena: 620 EUR`);
    expect([customer?.city, customer?.street]).toEqual(["Praha", "Nakládka 12"]);
    expect(locations?.map(({ city }) => city)).toEqual(["Trutnov", "Hamburg"]);
  });
});

describe("driver and vehicles", () => {
  test.each(["Fahrer: Hr. Marek, Mobil +48 604 555 187", "Fahrer: Herr Marek, +48 604 555 187"])(
    "%s: a single name is read without its title",
    async (line) => {
      const { carrier } = await german(`Frachtführer: Baltic Trans UAB\n${line}`);
      expect(carrier?.drivers?.[0]).toMatchObject({ name: "Marek", phone: "+48 604 555 187" });
    },
  );

  test.each(["Vehicle: KLM 417 (truck), KLM 882 (trailer)", "Vehicle: KLM 882 (trailer), KLM 417 (truck)"])(
    "%s: the word in brackets distinguishes truck and trailer",
    async (line) => {
      const read = await german(line);
      expect([read.vehiclesLicensePlates, read.trailersLicensePlates]).toEqual([["KLM417"], ["KLM882"]]);
    },
  );
});

describe("days of a mail", () => {
  const written = (lines: string) =>
    order(
      `TRANSPORTAUFTRAG Nr. 4711 vom 20.11.2026\n\nNordlicht Spedition KG\nAm Speicher 12\n20457 Hamburg\n\n${lines}\n\nFracht: 480,00 EUR\n`,
    );

  test("are counted from the day of the order", async () => {
    const { locations, orderDate } = await written(`Ladestelle: Montag 8-12 Uhr
Stahl Nord GmbH, Hafenweg 3, 28195 Bremen
Entladestelle: 24/11 vormittags, bis 10 Uhr
Holz Elbe GmbH, Lohweg 9, 20457 Hamburg`);
    expect(locations?.map(({ startDate, endDate }) => [startDate, endDate])).toEqual([
      ["2026-11-23T08:00:00", "2026-11-23T12:00:00"],
      ["2026-11-24T00:00:00", "2026-11-24T10:00:00"],
    ]);
    expect(orderDate).toBe("2026-11-20");
  });
});

describe("assignment of values to stops", () => {
  test("a time in its own column belongs to the date on its left", async () => {
    const { locations } = await order(`ORDEN DE TRANSPORTE 26/9114

LUGAR DE CARGA                           LUGAR DE DESCARGA
Stahl Nord GmbH                          Holz Elbe GmbH
Hafenweg 3                               Lohweg 9
28195 Bremen                             20457 Hamburg
Fecha carga: 24/11/2026  Hora: 16:00     Fecha descarga: 28/11/2026  Hora: 03:00

PRECIO: 3.150,00 EUR`);
    expect(locations?.map(({ startDate }) => startDate)).toEqual(["2026-11-24T16:00:00", "2026-11-28T03:00:00"]);
  });

  test("labelled goods below two columns of stops belong to the loading", async () => {
    const { locations } = await order(`CHARTEROPDRACHT 26-19034

LADEN  24-11-2026 13:00                     LOSSEN  26-11-2026 05:00
Stahl Nord GmbH                             Holz Elbe GmbH
Hafenweg 3                                  Lohweg 9
28195 Bremen                                20457 Hamburg

Lading:                       verse uien
Temperatuur:                  tussen +2°C en +6°C
Vracht:                       € 1.540,-`);
    expect(locations?.[0]?.cargo?.[0]).toMatchObject({ cargoType: "verse uien", temeratureFrom: 2, temeratureTo: 6 });
    expect(locations?.[1]?.cargo).toBeUndefined();
  });

  test("dates in a list below the route belong to the stops", async () => {
    const { locations } = await order(`ДОГОВІР-ЗАЯВКА № 514 від 23.11.2026
1. Маршрут: Україна (Луцьк) - Польща (Вроцлав)
2. Дата та час завантаження: 24.11.2026, 09:00
3. Адреса завантаження: 43023, Україна, м. Луцьк, вул. Карбишева, 2
4. Адреса розвантаження: Holz Elbe GmbH, Lohweg 9, 20457 Hamburg
5. Дата та час розвантаження: 27.11.2026 12:00
6. Вартість перевезення: 1850 євро`);
    expect(locations?.map(({ startDate }) => startDate)).toEqual(["2026-11-24T09:00:00", "2026-11-27T12:00:00"]);
  });

  test("a number in two groups of digits is one number", async () => {
    const { locations } = await german("", `${loading}\nRef.Nr. 88 4410`);
    expect(locations?.[0]?.refrenceNumbers).toEqual(["88 4410"]);
  });
});

describe("the description of goods", () => {
  test("does not contain the rest of a sentence", async () => {
    const { locations } = await order(`TRANSPORT ORDER 4711
LOADING 24.11.2026
Stahl Nord GmbH, Hafenweg 3, 28195 Bremen
28 pal  paper reels wrapped  24 380 kg
DELIVERY 25.11.2026
Holz Elbe GmbH, Lohweg 9, 20457 Hamburg
Freight: 1785 EUR

6. Cargo may be reloaded only with our consent in writing.`);
    expect(locations?.[0]?.cargo?.[0]?.cargoType ?? "").not.toContain("reloaded");
  });

  test("does not contain the pallet type before it", async () => {
    const { locations } = await order(`ORDEN DE CARGA 26/118
Carga: 24/11/2026
Stahl Nord GmbH, Hafenweg 3, 28195 Bremen
33 palets EUR de verdura congelada, 21.780 kg
Descarga: 25/11/2026
Holz Elbe GmbH, Lohweg 9, 20457 Hamburg
Precio: 1.785,00 EUR`);
    expect(locations?.[0]?.cargo?.[0]).toMatchObject({ pallets: 33, cargoType: "verdura congelada" });
  });
});
