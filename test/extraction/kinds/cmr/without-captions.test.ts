import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";

/** Consignment notes whose boxes or goods have no captions. */

let gazetteer: GazetteerShards;

beforeAll(async () => {
  const out = await mkdtemp(join(tmpdir(), "gazetteer-"));
  await buildGazetteer({ out });
  gazetteer = openGazetteerFromDisk(out);
});

async function read(text: string, name: string) {
  const result = await extractDocument(
    "cmr",
    { bytes: new TextEncoder().encode(text), name },
    { company: { names: [], vatCodes: [], emailDomains: [] }, today: "2026-11-20" },
    { gazetteer, budget: new Budget(20_000) },
  );
  return { ...result, data: result.items[0]?.data };
}

interface Note {
  what: string;
  name: string;
  text: string;
  says: Record<string, unknown>;
  silent?: string[];
}

const notes: Note[] = [
  {
    what: "numbers of boxes without captions, as filled in on a form of paper",
    name: "bare.txt",
    text: `CMR 4471902

1 Papierfabrik Isartal GmbH
Mühlweg 4
80331 München DE
2 Drukarnia Wola Sp. z o.o.
ul. Prosta 8
00-838 Warszawa PL
3 Warszawa, PL
4 München, DE   03.09.2026 07:45
16 Hill Transport Ltd, Dover
17 Novotrans s.r.o., Brno
18 Zwei Rollen feucht

6        7    8         9             10         11       12
R 1-8    8    Rollen    Druckpapier   48025515   11.840   12,5
R 9-11   3    Rollen    Karton        48109290   4.290

24 Warszawa 05.09.2026 16:20
`,
    says: {
      number: "4471902",
      sender: { name: "Papierfabrik Isartal GmbH", city: "München" },
      carrier: { name: "Hill Transport Ltd", city: "Dover" },
      successiveCarriers: [{ name: "Novotrans s.r.o.", city: "Brno" }],
      takingOver: { place: "München", date: "2026-09-03T07:45" },
      delivery: { place: "Warszawa", date: "2026-09-05T16:20" },
      goods: [
        { marks: "R 1-8", quantity: 8, packing: "Rollen", nature: "Druckpapier", grossWeight: 11_840, volume: 12.5 },
        { marks: "R 9-11", quantity: 3, packing: "Rollen", nature: "Karton", grossWeight: 4290 },
      ],
      reservations: "Zwei Rollen feucht",
    },
  },
  {
    what: "goods without captions, in columns and on one line",
    name: "forms.txt",
    text: `CMR consignment note DE 771904

Sender: Lackwerk Neckar GmbH, Werkstr. 2, 74076 Heilbronn, Germany
Consignee: Colour House Ltd, 4 Dock Road, Dover, United Kingdom
Carrier: Hill Transport Ltd, Dover
Place of taking over: Heilbronn, Germany, 02.09.2026
Place of delivery: Dover, United Kingdom
Goods:
NAV 3      18 pallets    wood stain          32089019      3,312.5 kg     3.2 m3
24 IBC · ethanol solution · HS 22071000 · gross 20,352 kg · 24 m3 · marks MST-0611
Total                                                       23,664.5 kg
Carrier's reservations: none
`,
    says: {
      number: "DE 771904",
      goods: [
        {
          marks: "NAV 3",
          quantity: 18,
          packing: "pallets",
          nature: "wood stain",
          statisticalNumber: "32089019",
          grossWeight: 3312.5,
          volume: 3.2,
        },
        {
          marks: "MST-0611",
          quantity: 24,
          packing: "IBC",
          nature: "ethanol solution",
          grossWeight: 20_352,
          volume: 24,
        },
      ],
    },
    silent: ["reservations"],
  },
];

test.each(notes)("$what", async ({ text, name, says, silent = [] }) => {
  const { data, message } = await read(text, name);
  expect(data, message).toMatchObject(says);
  expect(silent.filter((field) => field in (data ?? {}))).toEqual([]);
});
