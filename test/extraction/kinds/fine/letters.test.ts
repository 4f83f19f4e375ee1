import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

/** Notices of fines that are written in sentences, with hardly any label. */
const notices: { what: string; says: object; text: string }[] = [
  {
    what: "hu: a decision told in sentences",
    says: {
      reference: "08000/11822/2026",
      authority: "Győr-Moson-Sopron Vármegyei Rendőr-főkapitányság",
      offenceAt: "2026-09-14T10:42",
      measuredSpeed: 104,
      speedLimit: 80,
      licensePlate: "NR412DK",
      amount: 100000,
      currency: "HUF",
      paymentReference: "0800011822",
    },
    text: `Győr-Moson-Sopron Vármegyei Rendőr-főkapitányság
Közigazgatási Hatósági Szolgálat
9024 Győr, Szent Imre út 2.

Ügyszám: 08000/11822/2026. bírs.

HATÁROZAT

A Trans Példa s.r.o. (SK-94501 Komárno, Dunajská 4.) mint az NR 412 DK forgalmi rendszámú gépjármű üzembentartóját
100 000 Ft, azaz százezer forint közigazgatási bírság megfizetésére kötelezem.

Indokolás: A gépjárművel 2026. szeptember 14. napján 10 óra 42 perckor az M1 autópálya 118+300 km szelvényében
a megengedett 80 km/h sebesség helyett 104 km/h sebességgel közlekedtek.
A bírságot a határozat véglegessé válásától számított 30 napon belül kell befizetni a
HU40 1002 3002 0190 3009 0000 0000 számú számlára, a közlemény rovatban: 0800011822.`,
  },
  {
    what: "hu: day, hour and place in one field",
    says: {
      reference: "BP/0503/11821-2/2026",
      authority: "Budapest Főváros Kormányhivatala",
      offenceAt: "2026-09-28T16:03",
      place: "M0 autóút 22. km",
      measuredSpeed: 112,
      paymentReference: "BP 0503 11821",
    },
    text: `Budapest Főváros Kormányhivatala
Határozatszám: BP/0503/11821-2/2026
Kötelezem a Muster Spedition GmbH-t, mint az NOR-BX 551 (D) rendszámú tehergépkocsi üzembentartóját, hogy
az objektív felelősség szabályai szerint kiszabott 200.000 Ft összegű közigazgatási bírságot fizesse meg.
A szabályszegés időpontja és helye: 2026.09.28. 16:03, M0 autóút 22. km
Jogkövetkezmény: sebességtúllépés; mért sebesség 112 km/h, a megengedett legnagyobb sebesség 80 km/h.
Csekkszám / közlemény: BP 0503 11821`,
  },
  {
    what: "hu: a plate behind its word is no number of the case",
    says: { reference: "08000/11822/2026", offenceAt: "2026-09-14T10:42", licensePlate: "NR412DK" },
    text: `Határozat
Példa Megyei Rendőr-főkapitányság
Ügyszám: 08000/11822/2026
A gépjárművel 2026. szeptember 14. napján 10 óra 42 perckor közlekedtek.
Mért sebesség 104 km/h, megengedett 80 km/h. Közigazgatási bírság: 100 000 Ft. Rendszám: NR412DK`,
  },
  {
    what: "pl: doing more than the limit, whatever the word for doing",
    says: { measuredSpeed: 104, speedLimit: 80, amount: 400, dueDate: "2026-11-30", paymentReference: "RD 118226" },
    text: `Komenda Powiatowa Policji w Przykładowie
Wydział Ruchu Drogowego

Nr sprawy: RD-1182/26

Informujemy, że w dniu 14 września 2026 r. o godz. 10.42 kierujący pojazdem o numerze rejestracyjnym NR 412 DK
przekroczył dozwoloną prędkość, jadąc 104 km/h przy ograniczeniu do 80 km/h w miejscowości Wzorowo.
Nałożono mandat karny w wysokości 400 zł, płatny do 30.11.2026 na rachunek PL61 1090 1014 0000 0712 1981 2874,
w tytule przelewu: RD 118226.`,
  },
  {
    what: "sk: the symbol to pay with, in a sentence",
    says: {
      authority: "Okresné riaditeľstvo Policajného zboru Vzorovo",
      measuredSpeed: 74,
      amount: 198,
      paymentReference: "1182002026",
    },
    text: `Okresné riaditeľstvo Policajného zboru Vzorovo
ROZKAZ o uložení sankcie za správny delikt
Číslo: ORPZ-VZ-ODI-1182/2026
Držiteľovi vozidla s EČV BL 412 DK sa ukladá pokuta 198 EUR za to, že dňa 14. septembra 2026 o 10:42 h bolo
vozidlom prekročené dovolené rýchlosť 50 km/h, nameraná rýchlosť 74 km/h, na ulici Hlavná v obci Vzorovo.
Pokutu uhraďte do 15 dní na účet SK31 1200 0000 1987 4263 7541 s variabilným symbolom 1182002026.`,
  },
  {
    what: "it: a plate and a speed in a sentence",
    says: {
      reference: "4417/V/2026",
      measuredSpeed: 74,
      speedLimit: 50,
      licensePlate: "BL412DK",
      plateCountry: "SK",
      amount: 173,
      discountedAmount: 121.1,
      paymentReference: "V 4417 2026",
    },
    text: `COMUNE DI ESEMPIO - Corpo di Polizia Locale
Verbale n. 4417/V/2026 del 02/10/2026
Il giorno 14/09/2026 alle ore 10:42 in Via Roma altezza civico 14 il veicolo targato BL 412 DK (SK) circolava
alla velocità di 74 km/h, limite 50 km/h. Sanzione pecuniaria Euro 173,00. Pagamento entro 60 giorni, ridotto
del 30% Euro 121,10 se entro 5 giorni. IBAN IT60X0542811101000000123456 causale: V 4417 2026.`,
  },
  {
    what: "de: the reference to pay with, in the genitive",
    says: { measuredSpeed: 71, speedLimit: 50, paymentReference: "5211 8204 4178" },
    text: `Stadt Musterhausen - Bußgeldstelle
Aktenzeichen: 52.118.204417.8
Sehr geehrte Damen und Herren, Ihnen wird vorgeworfen, am 14.09.2026 um 10:42 Uhr in Musterhausen, Hauptstraße 14,
als Halter des LKW mit dem Kennzeichen BL-412DK die zulässige Höchstgeschwindigkeit von 50 km/h um 21 km/h
überschritten zu haben (gemessen nach Toleranzabzug: 71 km/h).
Verwarnungsgeld 70,00 EUR, zahlbar bis 30.11.2026 auf DE89 3704 0044 0532 0130 00 unter Angabe des Kassenzeichens 5211 8204 4178.`,
  },
  {
    what: "ro: speed and limit in a sentence",
    says: { measuredSpeed: 74, speedLimit: 50, licensePlate: "BL412DK", amount: 1160, currency: "RON" },
    text: `Poliția Municipiului Exemplu - Biroul Rutier
Proces-verbal seria PX nr. 0118442
Vehiculul cu numărul de înmatriculare BL 412 DK a circulat în data de 14.09.2026, ora 10:42, pe DN1 km 118, cu viteza
de 74 km/h, limita fiind de 50 km/h. Se aplică amendă contravențională în sumă de 1.160 lei.
Plata se face în 15 zile în contul RO49 AAAA 1B31 0075 9384 0000.`,
  },
  {
    what: "en: what to quote",
    says: { reference: "EX1184420", dueDate: "2026-11-30", paymentReference: "EX1184420" },
    text: `Exampleshire County Council, Highways Enforcement, PO Box 12, Exampleton
Penalty Charge Notice
PCN: EX1184420
Vehicle: BL412DK
On 14 September 2026 at 10:42 the vehicle was seen in High Street, Exampleton stopped in a restricted bus stop.
The penalty of £70.00 is payable by 30 November 2026. Pay to GB29 NWBK 6016 1331 9268 19 quoting reference EX1184420.`,
  },

  {
    what: "es: the end of voluntary payment, and what to pay with",
    says: { dueDate: "2026-12-14", paymentReference: "118204417002" },
    text: `AYUNTAMIENTO DE EJEMPLAR
NOTIFICACIÓN DE DENUNCIA
Expediente 2026/0118204
Fecha y hora infracción 14/09/2026 12:35
Matrícula BL-412-DK
Hecho denunciado Estacionar en zona prohibida
Importe 200,00 €
Fin plazo voluntario 14/12/2026
Ref. cobro 118204417002`,
  },
];

describe("notices of fines in sentences", () => {
  test.each(notices)("$what", async ({ text, says }) => {
    const read = await reading("fine", text);
    expect(read.data).toMatchObject(says);
  });
});
