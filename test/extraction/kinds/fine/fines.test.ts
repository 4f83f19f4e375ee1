import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";

/** Notices of fines that are partly a form and partly a letter, as authorities write them. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(text: string) {
  const result = await extractDocument(
    "fine",
    { bytes: new TextEncoder().encode(text), name: "notice.txt" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return { ...result, data: result.items[0]?.data };
}

const notices: { what: string; text: string; says: Record<string, unknown>; silent?: string[] }[] = [
  {
    what: "de: sum, place and reference in sentences, and what is paid early or too late",
    text: `Landratsamt Musterkreis · Bußgeldstelle · 12345 Musterstadt
Bußgeldbescheid
Aktenzeichen: MK.4-1182/26
Am 03.09.2026 um 21:08 Uhr in Musterstadt, B 51, km 14,6, Fahrtrichtung Trier, wurde das Fahrzeug WGM 7A204 (PL) zu schnell gefahren.
Gemessene Geschwindigkeit: 78 km/h
Zulässige Geschwindigkeit: 60 km/h
Geldbuße: 120,00 EUR
Gebühr: 28,50 EUR
Gesamtbetrag: 148,50 EUR
Die Einzahlung hat bis 30.11.2026 auf das Konto DE89 3704 0044 0532 0130 00, Verwendungszweck 5.0882.114470.3, zu erfolgen.`,
    says: {
      authority: "Landratsamt Musterkreis · Bußgeldstelle",
      reference: "MK.4-1182/26",
      offenceAt: "2026-09-03T21:08",
      place: "Musterstadt, B 51, km 14,6, Fahrtrichtung Trier",
      measuredSpeed: 78,
      speedLimit: 60,
      amount: 148.5,
      dueDate: "2026-11-30",
      paymentReference: "5.0882.114470.3",
    },
  },
  {
    what: "pt: the least and the most that could be asked are no amounts of this one",
    text: `AUTORIDADE NACIONAL DE SEGURANÇA RODOVIÁRIA
Av. do Casal, 1, 2734-507 Barcarena

AUTO DE CONTRAORDENAÇÃO N.º 945 112 884 3
Data da infração: 2026-08-19     Hora: 15:22
Local: EN 125, km 88,4 - Faro
Matrícula: 47-RT-18 (E)
Velocidade máxima permitida: 70 km/h
Velocidade registada: 98 km/h, correspondente à velocidade considerada de 93 km/h
Coima mínima: 60,00 EUR - Coima máxima: 300,00 EUR
Pagamento voluntário: 60,00 EUR no prazo de 15 dias úteis a contar da notificação`,
    says: {
      reference: "945 112 884 3",
      offenceAt: "2026-08-19T15:22",
      place: "EN 125, km 88,4 - Faro",
      licensePlate: "47RT18",
      plateCountry: "ES",
      speedLimit: 70,
      amount: 60,
      currency: "EUR",
    },
    silent: ["discountedAmount", "dueDate"],
  },
  {
    what: "bg: an offence told in a sentence, less for who pays early",
    text: `НАЦИОНАЛНО ТОЛ УПРАВЛЕНИЕ
гр. София, бул. Македония 3
ЕЛЕКТРОНЕН ФИШ № 4471188200
за установено нарушение по чл. 179, ал. 3б от ЗДвП
На 14.09.2026 г. в 03:44 часа, на път А-1 „Тракия“ км 118+300, с ППС рег. № СВ 4471 АК (BG), е установено движение без заплатена пътна такса.
Размер на глобата: 1 800,00 лв.
При плащане в 14-дневен срок: 1 260,00 лв.`,
    says: {
      reference: "4471188200",
      authority: "НАЦИОНАЛНО ТОЛ УПРАВЛЕНИЕ",
      offenceAt: "2026-09-14T03:44",
      plateCountry: "BG",
      amount: 1800,
      currency: "BGN",
      discountedAmount: 1260,
    },
  },
  {
    what: "en: the day to pay less by is none to pay by, nor is the one to object by",
    text: `Northmoor Borough Council - Parking Services
PO Box 118, Northmoor NM4 7AB

PENALTY CHARGE NOTICE  NM 0447 1182

Date of contravention: 17 August 2026 at 09:42
Location: Quayside Road (outside no. 14)
Vehicle registration mark: WX 4471A   Country: PL
Contravention: 02 Parked or waiting in a restricted street

The penalty charge is £70.00. If you pay within 14 days, by 31 August 2026, a discounted charge of £35.00 will be accepted.
Payment must be received by 14 September 2026. You may challenge this notice until 30 August 2026.`,
    says: {
      offenceAt: "2026-08-17T09:42",
      place: "Quayside Road (outside no. 14)",
      licensePlate: "WX4471A",
      plateCountry: "PL",
      amount: 70,
      currency: "GBP",
      discountedAmount: 35,
      discountUntil: "2026-08-31",
      dueDate: "2026-09-14",
    },
  },
  {
    what: "nl: a number in groups, days and hours written with u",
    text: `FEDERALE POLITIE - GEWESTELIJK VERWERKINGSCENTRUM
ONMIDDELLIJKE INNING            PV nr. BR.L4.118244/2026
Datum en uur van de overtreding: 21/09/2026 om 16u08
Plaats: E40 Brussel - Luik, km 44.2, Bierbeek
Nummerplaat: 118-KBT-44 (NL)
Toegelaten snelheid: 90 km/u    Gemeten snelheid: 108 km/u
Te betalen: € 119,00 vóór 05/11/2026
Rekening BE68 5390 0754 7034  Mededeling +++118/2440/44719+++`,
    says: {
      reference: "BR.L4.118244/2026",
      offenceAt: "2026-09-21T16:08",
      place: "E40 Brussel - Luik, km 44.2, Bierbeek",
      plateCountry: "NL",
      measuredSpeed: 108,
      speedLimit: 90,
      amount: 119,
      dueDate: "2026-11-05",
      iban: "BE68539007547034",
    },
  },
  {
    what: "it: what comes out of fine and costs is paid",
    text: `COMUNE DI PIEVE ALTA
Corpo di Polizia Locale - Via Roma 2 - 25049 Iseo (BS)
VERBALE DI ACCERTAMENTO n. V/5120/2026
Data e ora della violazione: 07/09/2026 ore 14:51
Luogo: S.P. 12 km 8+250
Veicolo targato FX204KM
entro 5 giorni dalla notifica (-30%): 121,10 + spese 12,00 = € 133,10
dal 6° al 60° giorno: 173,00 + spese 12,00 = € 185,00
oltre 60 gg: metà del massimo € 346,00 + spese
Ricorso al Prefetto entro 60 gg`,
    says: {
      reference: "V/5120/2026",
      place: "S.P. 12 km 8+250",
      licensePlate: "FX204KM",
      amount: 185,
      discountedAmount: 133.1,
    },
  },
  {
    what: "de: who pays late pays more, a firm collects, day and hour with a stroke",
    text: `Toll Control Süd GmbH
Ersatzmautforderung                               Fall-Nr.: 2026-44-118822
Kunde: Beispiel Spedition s.r.o., Praha
Fahrzeug: 4AB 1234 / CZ
Datum/Uhrzeit: 03.09.2026 / 22:41
Abschnitt: A12 Inntal, Vomp - Wiesing
Ersatzmaut: EUR 240,00
zahlbar bis 30.10.2026 auf IBAN AT61 1904 3002 3457 3201, Verwendungszweck EM-118822
Bei verspäteter Zahlung erhöht sich der Betrag auf EUR 480,00.`,
    says: {
      reference: "2026-44-118822",
      authority: "Toll Control Süd GmbH",
      offenceAt: "2026-09-03T22:41",
      licensePlate: "4AB1234",
      plateCountry: "CZ",
      amount: 240,
      dueDate: "2026-10-30",
      paymentReference: "EM-118822",
    },
    silent: ["discountedAmount", "discountUntil"],
  },
  {
    what: "cs: what the law threatens is not asked, what was driven stands before what was allowed",
    text: `Městský úřad Horní Lhota
odbor dopravy
Č. j.: HL 5512/2026
VÝZVA K UHRAZENÍ URČENÉ ČÁSTKY
dne 28.09.2026 v 09:41 hod. vozidlo reg. zn. WGM7A204 (PL) v obci překročilo nejvyšší povolenou rychlost 50 km/h, naměřena byla rychlost 66 km/h.
Určená částka:  1 500,- Kč     splatnost: 15 dnů od doručení
variabilní symbol: 2026020418  konst. symbol 0308
Ve správním řízení lze uložit pokutu 2 000 až 5 000 Kč.`,
    says: {
      authority: "Městský úřad Horní Lhota, odbor dopravy",
      offenceAt: "2026-09-28T09:41",
      licensePlate: "WGM7A204",
      plateCountry: "PL",
      measuredSpeed: 66,
      speedLimit: 50,
      amount: 1500,
      currency: "CZK",
      paymentReference: "2026020418",
    },
    silent: ["discountedAmount"],
  },
  {
    what: "sv: plates whose shape is a weight's, crowns written out",
    text: `Transportverket, Enheten för vägavgifter           Dnr TV 2026-5512
Beslut om överlastavgift
Åkeri Norrsken AB ska betala 18 400 kronor i överlastavgift. Beloppet ska vara betalt senest den 9 november 2026.
Fordon    RLX 40T (S), släp HNB 882
Tid       2026-08-27 kl. 13.15
Plats     E4, kontrollplats Markaryd
OCR-nummer 20261182440077. Från utlandet: IBAN SE45 5000 0000 0583 9825 7466.`,
    says: {
      reference: "TV 2026-5512",
      offenceAt: "2026-08-27T13:15",
      place: "E4, kontrollplats Markaryd",
      licensePlate: "RLX40T",
      plateCountry: "SE",
      amount: 18_400,
      currency: "SEK",
      dueDate: "2026-11-09",
      paymentReference: "20261182440077",
    },
  },
];

describe("notices of fines", () => {
  test.each(notices)("$what", async ({ text, says, silent = [] }) => {
    const { data, message } = await read(text);
    expect(data, message).toMatchObject(says);
    expect(silent.filter((field) => field in (data ?? {}))).toEqual([]);
  });

  test("a letter about a lorry, with a plate, an amount and a time, is not a fine", async () => {
    const { status } = await read(`Beispiel Spedition GmbH, Hafenstraße 4, 20457 Hamburg
Transportauftrag 4711
Ladestelle: Hamburg, 12.10.2026 08:00
Entladestelle: Kassel, 13.10.2026
Kennzeichen: HH AB 1234, Geschwindigkeit und Lenkzeit sind einzuhalten
Frachtpreis: 900,00 EUR, IBAN DE89 3704 0044 0532 0130 00`);
    expect(status).toBe("Failed");
  });
});
