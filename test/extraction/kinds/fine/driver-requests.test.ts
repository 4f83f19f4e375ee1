import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";

/** Notices that ask their recipient, which is the company that has them extracted, who the driver was. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(text: string, company: { names: string[] }) {
  const result = await extractDocument(
    "fine",
    { bytes: new TextEncoder().encode(text), name: "notice.txt" },
    { company: { vatCodes: [], emailDomains: [], ...company }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return { ...result, data: result.items[0]?.data };
}

const asked: Record<string, { notice: string; asks: string; authority: string }> = {
  de: {
    authority: "Kreisverwaltung Musterkreis",
    notice: `Anhörung im Bußgeldverfahren
Aktenzeichen 505.11.222333.4
Dem Führer des Fahrzeugs PO 7KL21 wird zur Last gelegt, am 21.10.2026 um 14:37 Uhr in Magdeburg, A2 km 71,3, zu schnell gefahren zu sein.
Verwarnungsgeld: 60,00 EUR
Zahlbar bis 30.11.2026.`,
    asks: "Bitte teilen Sie uns bis zum 25.11.2026 mit, wer der Fahrer war.",
  },
  pl: {
    authority: "Gmina Przykładowo",
    notice: `WEZWANIE nr SM/123/2026
W dniu 21.10.2026 o godz. 14:37 w Poznaniu, ul. Głogowska 12, kierujący pojazdem PO 7KL21 przekroczył dozwoloną prędkość.
Mandat: 200,00 zł`,
    asks: "Prosimy o wskazanie kierującego pojazdem do dnia 25.11.2026 r.",
  },
  fr: {
    authority: "Préfecture de Police",
    notice: `AVIS DE CONTRAVENTION n° 88112233
Infraction constatée le 21/10/2026 à 14:37 à Metz, A31
Immatriculation : PO 7KL21
Amende forfaitaire : 68 €`,
    asks: "Veuillez désigner le conducteur du véhicule avant le 25/11/2026.",
  },
  es: {
    authority: "Ayuntamiento de Ejemplo",
    notice: `DENUNCIA expediente 2026/88112
Fecha: 21/10/2026 Hora: 14:37
Lugar: A-2 km 55
Matrícula: PO 7KL21
Importe de la multa: 100,00 €`,
    asks: "Debe identificar al conductor antes del 25/11/2026.",
  },
  it: {
    authority: "Comune di Esempio",
    notice: `VERBALE n. 8811/2026
Il giorno 21/10/2026 alle ore 14:37 in Verona, SS11 km 4, il veicolo targato PO 7KL21 superava il limite.
Sanzione: 173,00 €`,
    asks: "I dati del conducente devono essere comunicati entro il 25/11/2026.",
  },
  nl: {
    authority: "Gemeente Voorbeeld",
    notice: `BESCHIKKING nr. 8811 2233
Datum overtreding: 21-10-2026 14:37
Plaats: A2, Utrecht
Kenteken: PO 7KL21
Bedrag boete: € 95,00`,
    asks: "Wilt u uiterlijk 25-11-2026 meedelen wie de bestuurder was.",
  },
  cs: {
    authority: "Magistrát města Vzorov",
    notice: `VÝZVA č. j. 8811/2026
Dne 21.10.2026 v 14:37 hod. v Brně, D1 km 196, bylo vozidlem PO 7KL21 překročena rychlost.
Pokuta: 1000 Kč`,
    asks: "Sdělte totožnost řidiče do 25.11.2026.",
  },
  en: {
    authority: "Northmoor Borough Council",
    notice: `NOTICE OF INTENDED PROSECUTION ref. NM 0447 1182
On 21/10/2026 at 14:37 at Leeds, A64, the vehicle PO 7KL21 exceeded the speed limit.
Penalty: £100.00`,
    asks: "You must name the driver by 25/11/2026.",
  },
  lt: {
    authority: "Pavyzdžio miesto savivaldybė",
    notice: `NUTARIMAS Nr. 8811/2026
Pažeidimo data: 2026-10-21 14:37
Vieta: Vilnius, Pavyzdžio g. 12
Valst. numeris: PO 7KL21
Bauda: 40,00 EUR`,
    asks: "Prašome iki 2026-11-25 nurodyti vairuotoją.",
  },
  ro: {
    authority: "Primăria Exemplu",
    notice: `PROCES-VERBAL nr. 8811/2026
Data contravenției: 21.10.2026 14:37
Locul: DN1 km 55
Nr. înmatriculare: PO 7KL21
Amendă: 405,00 RON`,
    asks: "Vă rugăm să comunicați datele conducătorului auto până la 25.11.2026.",
  },
  hu: {
    authority: "Példa Vármegyei Rendőrkapitányság",
    notice: `HATÁROZAT ügyszám: 8811/2026
Elkövetés ideje: 2026.10.21. 14:37
Helye: M1 55 km
Rendszám: PO 7KL21
Bírság: 30 000 Ft`,
    asks: "Kérjük, nevezze meg a járművezetőt 2026.11.25-ig.",
  },
  sv: {
    authority: "Polisen",
    notice: `ORDNINGSBOT nr 8811-2026
Datum: 2026-10-21 14:37
Plats: E4, Uppsala
Registreringsnummer: PO 7KL21
Belopp: 2000 SEK`,
    asks: "Uppge vem som var förare senast 2026-11-25.",
  },
  da: {
    authority: "Politiet",
    notice: `BØDE nr 8811-2026
Dato: 21.10.2026 14:37
Sted: E20, Odense
Registreringsnummer: PO 7KL21
Bøde: 1000 DKK`,
    asks: "Oplys hvem der var fører senest den 25.11.2026.",
  },
  uk: {
    authority: "Патрульна поліція",
    notice: `ПОСТАНОВА № 8811/2026
Дата порушення: 21.10.2026 14:37
Місце: Київ, вул. Зразкова 5
Номерний знак: PO 7KL21
Штраф: 340 грн`,
    asks: "Просимо повідомити, хто був водієм, до 25.11.2026.",
  },
  bg: {
    authority: "Областна дирекция на МВР",
    notice: `ЕЛЕКТРОНЕН ФИШ № 8811223
На 21.10.2026 г. в 14:37 ч. на път А-1 с ППС PO 7KL21 е установено движение с превишена скорост.
Глоба: 100 лв.`,
    asks: "Моля, посочете водача до 25.11.2026 г.",
  },
};

describe("a notice that asks who drove", () => {
  test.each(Object.entries(asked))("%s: has the authority and the deadline", async (_, notice) => {
    const addressee = "Trans Beispiel Sp. z o.o.\nul. Polna 7\n63-300 Pleszew";
    const { data } = await read([notice.authority, addressee, `${notice.notice}\n${notice.asks}`].join("\n\n"), {
      names: ["Trans Beispiel"],
    });
    expect(data).toMatchObject({ authority: notice.authority, driverStatementUntil: "2026-11-25" });
    expect(data).not.toHaveProperty("dueDate", "2026-11-25");
  });

  test.each([
    ["en", "The penalty is payable by 30/11/2026 unless you name the driver."],
    ["de", "Zahlbar bis 30.11.2026, sofern Sie den Fahrer nicht benennen."],
    ["pl", "Mandat płatny do 30.11.2026 r., chyba że wskażą Państwo kierującego pojazdem."],
    ["fr", "Amende à payer avant le 30/11/2026 si vous ne désignez pas le conducteur."],
    ["it", "La sanzione va pagata entro il 30/11/2026 se non comunica i dati del conducente."],
  ])("%s: has the deadline for naming the driver as its due date", async (language, sentence) => {
    const { notice, authority } = asked[language]!;
    const { data } = await read(`${authority}\n\n${notice.replace(/\nZahlbar.*/u, "")}\n${sentence}`, { names: [] });
    expect(data).toMatchObject({ dueDate: "2026-11-30" });
  });

  test("is read from a letterhead with the office below the authority, and the addressee below that", async () => {
    const { data } = await read(
      `Landratsamt Musterkreis
Bußgeldstelle
Hauptstraße 12, 39104 Magdeburg
Trans Beispiel Sp. z o.o.
ul. Polna 7
63-300 Pleszew

Anhörung im Bußgeldverfahren
Aktenzeichen: 505.98.765432.1
Dem Führer des Fahrzeugs PO 7KL21 (PL) wird zur Last gelegt, am 21.10.2026
um 14:37 Uhr in Magdeburg, A2 km 71,3, Richtung Berlin, zu schnell gefahren zu sein.
Verwarnungsgeld: 60,00 EUR, zahlbar bis 30.11.2026.
Bitte benennen Sie den Fahrer bis zum 25.11.2026.`,
      { names: ["Trans Beispiel"] },
    );
    expect(data).toMatchObject({
      authority: "Landratsamt Musterkreis, Bußgeldstelle",
      place: "Magdeburg, A2 km 71,3, Richtung Berlin",
      dueDate: "2026-11-30",
      driverStatementUntil: "2026-11-25",
    });
  });
});
