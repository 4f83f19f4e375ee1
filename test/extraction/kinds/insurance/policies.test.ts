import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";

/** Policies and certificates as insurers and brokers write them. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(text: string) {
  const result = await extractDocument(
    "insurance",
    { bytes: new TextEncoder().encode(text), name: "policy.txt" },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return { ...result, data: result.items[0]?.data };
}

const policies: { what: string; text: string; says: Record<string, unknown> }[] = [
  {
    what: "de: the paper's own word before its number, the town behind the insurer, a caption beside its sum",
    text: `NORDKAP ASSEKURANZMAKLER GmbH                für und im Namen der
Am Kai 11, 20457 Hamburg                     BELTSEE TRANSPORTVERSICHERUNG AG

                 VERSICHERUNGSBESTÄTIGUNG
Versicherungsnehmer:   Fuhrbetrieb Lohmann e.K.
                       Am Kalkofen 4, 06526 Sangerhausen
Versicherungsschein:   VH-7712.820-26
Versicherer:           Beltsee Transportversicherung AG, Köln  (100 %)
Beginn:                01.01.2026  00:00 Uhr
Ablauf:                31.12.2026  24:00 Uhr

Versichert ist die Haftung nach HGB (8,33 bis 40 SZR/kg) sowie nach CMR.
Deckungssumme je Schadenereignis       EUR 1.200.000
Jahreshöchstleistung                   EUR 3.600.000`,
    says: {
      policyNumber: "VH-7712.820-26",
      insurer: "Beltsee Transportversicherung AG",
      policyHolder: { name: "Fuhrbetrieb Lohmann e.K." },
      validFrom: "2026-01-01",
      validTo: "2026-12-31",
      sumInsured: 1_200_000,
      currency: "EUR",
    },
  },
  {
    what: "en: a period in words, a limit and an excess",
    text: `Fenwick & Dale Insurance Brokers LLP
TO WHOM IT MAY CONCERN
Insured:     Calder Haulage Ltd, Unit 4 Mill Lane, Ashbourne DE6 3LL
Insurer:     Humber Mutual Marine Insurance plc
Policy No.:  HMM/26/0077182
Period:      1 June 2026 to 31 May 2027, both dates inclusive
Limit:       GBP 250,000 any one event
Excess:      GBP 1,000 each claim`,
    says: {
      policyNumber: "HMM/26/0077182",
      insurer: "Humber Mutual Marine Insurance plc",
      validFrom: "2026-06-01",
      validTo: "2027-05-31",
      sumInsured: 250_000,
      currency: "GBP",
    },
  },
  {
    what: "lv: the number in the head, plates of several vehicles",
    text: `AAS "Vidzemes Balts"                      POLISE  Nr. CMR 26-118220
Brīvības iela 11, Rīga LV-1010

Apdrošinājuma ņēmējs : SIA "Gaujas Kravas", PVN LV40003032949
Adrese               : Ostas iela 18, Ventspils, LV-3601
Periods              : 12.03.2026. - 11.03.2027.
Atbildības limits    : EUR 350 000,00 vienam gadījumam
Transportlīdzekļi    : LR 4471, LT 1182`,
    says: {
      policyNumber: "CMR 26-118220",
      insurer: 'AAS "Vidzemes Balts"',
      policyHolder: { name: 'SIA "Gaujas Kravas"' },
      validFrom: "2026-03-12",
      validTo: "2027-03-11",
      sumInsured: 350_000,
      licensePlates: ["LR4471", "LT1182"],
    },
  },
  {
    what: "it: two things in one caption",
    text: `Padana Trasporti Assicurazioni S.p.A.
POLIZZA RESPONSABILITÀ VETTORIALE N. 0118/07/447200
Contraente                             AUTOTRASPORTI GUIDI S.n.c.
                                       Via Fornace 27 - 46043 Castiglione delle Stiviere (MN)
Effetto                                dalle ore 24 del 31/03/2026
Scadenza                               alle ore 24 del 31/03/2027
Massimale per sinistro e per veicolo   € 500.000,00
Franchigia                             € 750,00
Targhe                                 GB 118 ZT, AE 77182`,
    says: {
      policyNumber: "0118/07/447200",
      validFrom: "2026-03-31",
      validTo: "2027-03-31",
      sumInsured: 500_000,
      currency: "EUR",
      licensePlates: ["GB118ZT", "AE77182"],
    },
  },
  {
    what: "fr: an attestation in sentences",
    text: `ATTESTATION D'ASSURANCE
Responsabilité civile du transporteur de marchandises
La compagnie Mutuelle des Routiers du Littoral, 4 place du Port, 44000 Nantes, atteste que la société
Transports Le Bihan SARL
12 rue des Dunes
29200 Brest
est titulaire du contrat n° 44.118.822 garantissant sa responsabilité
du 01/01/2026 au 31/12/2026
Montant garanti : 350 000 € par sinistre
Franchise : 1 000 €`,
    says: {
      policyNumber: "44.118.822",
      validFrom: "2026-01-01",
      validTo: "2026-12-31",
      sumInsured: 350_000,
      currency: "EUR",
    },
  },
];

describe("insurance policies and certificates", () => {
  test.each(policies)("$what", async ({ text, says }) => {
    const { data, message } = await read(text);
    expect(data, message).toMatchObject(says);
  });
});
