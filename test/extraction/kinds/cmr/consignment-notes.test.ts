import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGazetteer, openGazetteerFromDisk } from "../../../../scripts/gazetteer.ts";
import type { GazetteerShards } from "../../../../src/extraction/lexicon/gazetteer.ts";
import { Budget } from "../../../../src/extraction/problem.ts";
import { extractDocument } from "../../../../src/extraction/extract.ts";

/** Consignment notes that do not use the printed form, as people and programs write them. */

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
  /** Fields that must be absent. */
  silent?: string[];
}

const notes: Note[] = [
  {
    what: "boxes by number beside each other, the goods under abbreviated captions",
    name: "note.txt",
    text: `LETTRE DE VOITURE INTERNATIONALE            N° 26/5510 B

1. EXPEDITEUR                        16. TRANSPORTEUR
Papeterie du Lac SA                  Transports Delorme SARL
8 route de Genève                    44 avenue de la Gare
74000 Annecy                         38000 Grenoble
FRANCE                               FRANCE

2. DESTINATAIRE                      18. RESERVES
Cartiera Ticino S.p.A.               4 cartons mouillés au chargement
Via Valle 3
20121 Milano
ITALIE

3. LIVRAISON                         5. ANNEXES
20121 Milano, Italie                 facture 8812
4. PRISE EN CHARGE
74000 Annecy, France 14/09/2026

6 marq.    7 nb   8 emb.    9 nature          10 stat.    11 kg     12 m3
PL 1-30    30     cartons   papier à lettres  48021000    6 210     21
25. Tracteur GK-771-RT  Remorque FA-118-ZB
24. Reçu Milano le 16/09/2026`,
    says: {
      number: "26/5510 B",
      sender: { name: "Papeterie du Lac SA", postalCode: "74000", city: "Annecy", country: "FR" },
      consignee: { name: "Cartiera Ticino S.p.A.", city: "Milano", country: "IT" },
      carrier: { name: "Transports Delorme SARL", city: "Grenoble" },
      takingOver: { place: "Annecy", country: "FR", date: "2026-09-14" },
      delivery: { place: "Milano", country: "IT", date: "2026-09-16" },
      goods: [
        {
          marks: "PL 1-30",
          quantity: 30,
          packing: "cartons",
          nature: "papier à lettres",
          statisticalNumber: "48021000",
          grossWeight: 6210,
          volume: 21,
        },
      ],
      licensePlates: ["GK771RT", "FA118ZB"],
      reservations: "4 cartons mouillés au chargement",
    },
  },
  {
    what: "everything on a line of its own, the goods between their numbers",
    name: "note.txt",
    text: `STARPTAUTISKĀ PREČU TRANSPORTA PAVADZĪME CMR Nr. LV 2600718
(1) Nosūtītājs: SIA "Kurzemes Koks", Brīvības iela 44, Kuldīga, LV-3301, Latvija
(2) Saņēmējs: Holzimport Emsland GmbH, Hafenstraße 3, 49808 Lingen (Ems), Vācija
(3) Kravas izkraušanas vieta: Lingen (Ems), Vācija
(4) Kravas iekraušanas vieta un datums: Kuldīga, Latvija, 30.09.2026.
(5) Pievienotie dokumenti: invoice 77-1
(6) KK-1  (7) 30  (8) pakas  (9) zāģmateriāli  (10) 44071193  (11) 21 900 kg  (12) 46,5 m3
(16) Pārvadātājs: SIA "Ziemeļu Ceļš", Ganību dambis 8, Rīga, LV-1045, Latvija
(18) Atrunas: nav
(25) JR 4471 / P 8812 K
(24) Krava saņemta 03.10.2026.`,
    says: {
      number: "LV 2600718",
      sender: { name: 'SIA "Kurzemes Koks"', country: "LV" },
      carrier: { name: 'SIA "Ziemeļu Ceļš"' },
      delivery: { place: "Lingen (Ems)", country: "DE", date: "2026-10-03" },
      goods: [{ marks: "KK-1", quantity: 30, statisticalNumber: "44071193", grossWeight: 21_900, volume: 46.5 }],
      licensePlates: ["JR4471", "P8812K"],
    },
    silent: ["reservations"],
  },
  {
    what: "captions that say what belongs into a box, letters without marks",
    name: "note.txt",
    text: `MIEDZYNARODOWY SAMOCHODOWY LIST PRZEWOZOWY   CMR   Nr 0447129/26
1  Nadawca (nazwisko lub nazwa, adres, kraj)
HUTA SZKLA LIPOWA S.A.
UL. HUTNICZA 4
26-110 SKARZYSKO-KAMIENNA  POLSKA
2  Odbiorca (nazwisko lub nazwa, adres, kraj)
BOUTEILLES DU RHONE SAS
14 ROUTE DE VIENNE
69007 LYON  FRANCJA
3  Miejsce przeznaczenia (miejscowosc, kraj)
LYON, FRANCJA
4  Miejsce i data zaladowania (miejscowosc, kraj, data)
SKARZYSKO-KAMIENNA, POLSKA, 18.09.2026
6 Cechy i numery  7 Ilosc sztuk  8 Opakowanie  9 Rodzaj towaru   10 Nr statystyczny  11 Waga brutto w kg
HSL/2026          22             PALETY        BUTELKI SZKLANE   70109043            17 820
13 Instrukcje nadawcy
NIE PIETROWAC
16 Przewoznik (nazwisko lub nazwa, adres, kraj)
P.H.U. TRANS-KAM JAN NOWAK
UL. KRAKOWSKA 9, 25-001 KIELCE, POLSKA
18 Zastrzezenia i uwagi przewoznika
2 PALETY Z USZKODZONA FOLIA
24 Przesylke otrzymano 21.09.2026`,
    says: {
      number: "0447129/26",
      sender: { name: "HUTA SZKLA LIPOWA S.A.", postalCode: "26-110" },
      consignee: { name: "BOUTEILLES DU RHONE SAS", city: "LYON", country: "FR" },
      carrier: { name: "P.H.U. TRANS-KAM JAN NOWAK", postalCode: "25-001" },
      takingOver: { date: "2026-09-18" },
      goods: [{ marks: "HSL/2026", quantity: 22, packing: "PALETY", grossWeight: 17_820 }],
      reservations: "2 PALETY Z USZKODZONA FOLIA",
    },
  },
  {
    what: "fields of an electronic note",
    name: "note.csv",
    text: `field,value
ecmr_number,ECMR-NL-2026-009917
sender_name,Van Dijk Bloemen B.V.
sender_street,Legmeerdijk 313
sender_postcode,1431 GB
sender_city,Aalsmeer
consignee_name,Blumen Vertrieb Nord GmbH
consignee_postcode,20097
consignee_city,Hamburg
carrier_name,Hollandia Trans B.V.
carrier_city,Rotterdam
place_of_taking_over,Aalsmeer
taking_over_date,2026-09-14
place_of_delivery,Hamburg
delivery_date,2026-09-15
goods_marks,VDB-77
goods_quantity,42
goods_packing,trolleys
goods_nature,cut flowers
goods_statistical_number,06031100
goods_gross_weight_kg,8400
goods_volume_m3,61.5
truck_plate,28-BPX-3
reservations,two trolleys with bent frames`,
    says: {
      number: "ECMR-NL-2026-009917",
      sender: { name: "Van Dijk Bloemen B.V.", postalCode: "1431 GB", city: "Aalsmeer" },
      consignee: { name: "Blumen Vertrieb Nord GmbH", city: "Hamburg" },
      takingOver: { place: "Aalsmeer", date: "2026-09-14" },
      delivery: { place: "Hamburg", date: "2026-09-15" },
      goods: [{ marks: "VDB-77", quantity: 42, packing: "trolleys", nature: "cut flowers", grossWeight: 8400 }],
      licensePlates: ["28BPX3"],
      reservations: "two trolleys with bent frames",
    },
  },
  {
    what: "a sheet with bare numbers over the goods, and boxes one behind the other on a line",
    name: "note.html",
    text: `<html><body><b>INTERNATIONALT FRAGTBREV (CMR)</b> nr. DK 7712 0098
<div>1 Afsender<br>Jysk Frugt ApS<br>Havnegade 4<br>9000 Aalborg<br>Danmark</div>
<div>2 Modtager<br>Obsthandel Elbe GmbH<br>Marktstraße 7<br>20357 Hamburg<br>Tyskland</div>
<div>3 Leveringssted: 20357 Hamburg, Tyskland</div>
<div>4 Overtaget: Aalborg, Danmark, 2026-10-05</div>
<div>16 Fragtfører<br> </div>
<div>18 Forbehold<br>1 kolli våd emballage</div>
<table><tr><td>6</td><td>7</td><td>8</td><td>9</td><td>10</td><td>11 kg</td><td>12 m3</td></tr>
<tr><td>JF 4</td><td>18</td><td>kasser</td><td>æbler</td><td>08081080</td><td>7 200</td><td>22,4</td></tr></table>
5 Bilag: faktura 4410 – 25 Reg.nr AB 12 345 + CD 67 890 – 24 Modtaget 2026-10-06</body></html>`,
    says: {
      number: "DK 7712 0098",
      sender: { name: "Jysk Frugt ApS", city: "Aalborg" },
      consignee: { name: "Obsthandel Elbe GmbH", city: "Hamburg", country: "DE" },
      takingOver: { place: "Aalborg", date: "2026-10-05" },
      delivery: { place: "Hamburg", date: "2026-10-06" },
      goods: [{ marks: "JF 4", quantity: 18, packing: "kasser", nature: "æbler", grossWeight: 7200, volume: 22.4 }],
      licensePlates: ["AB12345", "CD67890"],
      reservations: "1 kolli våd emballage",
    },
    silent: ["carrier"],
  },
  {
    what: "no numbers at all, captions with a colon before their values",
    name: "note.txt",
    text: `VRACHTBRIEF                      Vrachtbriefnummer 260099-17
Afzender:            Papierfabriek De Vaart B.V.
                     Vaartweg 9
                     6881 JB Velp
Geadresseerde:       Drukkerij Zuid N.V.
                     Antwerpsesteenweg 77
                     2800 Mechelen, België
Vervoerder:          Transport Maas & Zn B.V.
                     Kade 14, 5211 AB 's-Hertogenbosch
Plaats van inontvangstneming:  Velp   d.d. 02-10-2026
Plaats van aflevering:         Mechelen
Merken     Aantal   Verpakking   Aard der goederen    Brutogewicht kg   Volume m3
DV-44      26       rollen       krantenpapier        21.450            40,2
Opmerkingen vervoerder:  1 rol licht beschadigd
Kenteken trekker: 91-BTK-8    Kenteken oplegger: OL-31-PG`,
    says: {
      number: "260099-17",
      carrier: { name: "Transport Maas & Zn B.V.", postalCode: "5211 AB", city: "'s-Hertogenbosch" },
      takingOver: { place: "Velp", date: "2026-10-02" },
      delivery: { place: "Mechelen" },
      goods: [{ quantity: 26, nature: "krantenpapier", grossWeight: 21_450, volume: 40.2 }],
      licensePlates: ["91BTK8", "OL31PG"],
      reservations: "1 rol licht beschadigd",
    },
  },
  {
    what: "captions in brackets, said again in a language nobody knows, values beside them",
    name: "note.txt",
    text: `INTERNATIONAL CONSIGNMENT NOTE                         CMR No: TR-26-004471

[1] Sender / Gönderen            : Ege Tekstil San. ve Tic. A.Ş., Organize Sanayi 4. Cad. No 18, 35620 Izmir, Türkiye
[2] Consignee / Alıcı            : Stoffe Wagner GmbH, Ringstraße 7, 72072 Tübingen, Germany
[3] Place of delivery            : Tübingen, Germany
[4] Place & date of taking over  : Izmir, Türkiye, 03/10/2026
[5] Documents                    : invoice 4471 • packing list • EUR.1
[6] Marks & Nos                  : ET-1/40
[7] Number of packages           : 40
[8] Method of packing            : rolls
[9] Nature of the goods          : cotton fabric
[10] Statistical number          : 52083900
[11] Gross weight, kg            : 12.480
[16] Carrier                     : Anadolu Nakliyat Ltd. Şti., Liman Cad. 9, 35230 Izmir, Türkiye
[18] Carrier's reservations      : seal intact, goods not checked
Truck / trailer: QX7 441 Z – QX9 118 Z`,
    says: {
      number: "TR-26-004471",
      sender: { name: "Ege Tekstil San. ve Tic. A.Ş.", country: "TR" },
      consignee: { name: "Stoffe Wagner GmbH", city: "Tübingen" },
      takingOver: { place: "Izmir", date: "2026-10-03" },
      goods: [{ marks: "ET-1/40", quantity: 40, packing: "rolls", nature: "cotton fabric", grossWeight: 12_480 }],
      attachedDocuments: ["invoice 4471", "packing list", "EUR.1"],
      licensePlates: ["QX7441Z", "QX9118Z"],
    },
  },
  {
    what: "a table with the goods told in one cell",
    name: "note.html",
    text: `<table border=1>
<tr><td colspan=2><b>CMR</b> Internationaler Frachtbrief</td><td>Nr.<br>AT 0099-4471</td></tr>
<tr><td>1</td><td>Absender</td><td>Mühle Innviertel KG<br>Mühlgasse 4<br>4910 Ried im Innkreis<br>Österreich</td></tr>
<tr><td>2</td><td>Empfänger</td><td>Molino Brescia S.r.l.<br>Via Milano 7<br>25126 Brescia<br>Italien</td></tr>
<tr><td>4</td><td>Übernahme</td><td>4910 Ried im Innkreis, 12.09.2026</td></tr>
<tr><td>16</td><td>Frachtführer</td><td>Transporte Huber e.U.<br>Bahnhofstraße 3<br>4840 Vöcklabruck</td></tr>
<tr><td>18</td><td>Vorbehalte</td><td>1 Sack aufgerissen</td></tr>
<tr><td>6-12</td><td>Gut</td><td>24 Paletten Weizenmehl, Zeichen MI-24, 23.400 kg</td></tr>
<tr><td>25</td><td>Kennzeichen</td><td>VB 447 HT / VB 118 TX</td></tr>
<tr><td>24</td><td>Empfangen</td><td>14.09.2026</td></tr>
</table>`,
    says: {
      number: "AT 0099-4471",
      sender: { name: "Mühle Innviertel KG", city: "Ried im Innkreis" },
      takingOver: { date: "2026-09-12" },
      delivery: { date: "2026-09-14" },
      goods: [{ quantity: 24, packing: "Paletten", nature: "Weizenmehl", grossWeight: 23_400 }],
      licensePlates: ["VB447HT", "VB118TX"],
      reservations: "1 Sack aufgerissen",
    },
  },
  {
    what: "captions of five words behind the numbers of their boxes",
    name: "note.txt",
    text: `INTERNATIONAL CONSIGNMENT NOTE                  CMR No. 4471903

1 Sender (name, address, country)               16 Carrier (name, address, country)
Brackwater Tiles Ltd                            Fennmoor Haulage Ltd
12 Kiln Road                                    3 Depot Lane
Stoke-on-Trent ST4 2QP                          Peterborough PE1 5XG
United Kingdom                                  United Kingdom
2 Consignee (name, address, country)
Tuilerie Morvan SARL
5 rue des Fours
21000 Dijon
France
3 Place of delivery of the goods (place, country)
Dijon, France
4 Place and date of taking over the goods (place, country, date)
Stoke-on-Trent, United Kingdom, 12 October 2026
13 Sender's instructions
Keep upright`,
    says: {
      delivery: { place: "Dijon", country: "FR" },
      takingOver: { place: "Stoke-on-Trent", country: "GB", date: "2026-10-12" },
      instructions: "Keep upright",
    },
  },
  {
    what: "captions said again in English below the numbered ones",
    name: "note.txt",
    text: `MEZINÁRODNÍ NÁKLADNÍ LIST                       CMR č. 0093114

1 Odesílatel                                    16 Dopravce
Sender                                          Carrier
Pila Borová s.r.o.                              Rychlovoz s.r.o.
Lesní 4                                         Tovární 9
588 13 Polná                                    586 01 Jihlava
Česko                                           Česko
2 Příjemce
Consignee
Holzhof Auental GmbH
Sägeweg 7
94032 Passau
Německo
13 Pokyny odesílatele
Sender's instructions
Zakrýt plachtou                                 18 Výhrady a poznámky dopravce
                                                Carrier's reservations and observations
                                                jedna paleta vlhká`,
    says: {
      sender: { name: "Pila Borová s.r.o.", city: "Polná" },
      consignee: { name: "Holzhof Auental GmbH", city: "Passau" },
      instructions: "Zakrýt plachtou",
      reservations: "jedna paleta vlhká",
    },
  },
];

describe("consignment notes", () => {
  test.each(notes)("$what", async ({ text, name, says, silent = [] }) => {
    const { data, message } = await read(text, name);
    expect(data, message).toMatchObject(says);
    expect(silent.filter((field) => field in (data ?? {}))).toEqual([]);
  });
});
