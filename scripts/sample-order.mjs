// Writes docs/sample-order.pdf, the document of the quick start: a transport order between invented parties. Their VAT numbers
// are common dummies with valid check digits; their mail domains and phone numbers are reserved for fiction.
import { writeFileSync } from "node:fs";
import { onePage } from "./one-page-pdf.mjs";

const left = 50;
const right = 310;
const grey = 0.93;

/** Each entry is [x, y from the bottom, size, bold, text]. */
const text = [
  [left, 790, 15, true, "Beispiel Spedition GmbH"],
  [left, 775, 9, false, "Hafenstraße 12, 20457 Hamburg, Germany"],
  [left, 763, 9, false, "VAT ID: DE123456788   Phone: +49 30 23125 410   dispatch@beispiel-spedition.example"],
  [left, 722, 18, true, "Transport order No. BS-26-04711"],
  [left, 703, 10, false, "Date: 18.11.2026"],

  [left + 6, 676, 9, true, "Carrier"],
  [left + 6, 660, 10, false, "Vzorová Doprava s.r.o."],
  [left + 6, 646, 10, false, "Dlouhá 27, 602 00 Brno, Czech Republic"],
  [left + 6, 632, 10, false, "VAT ID: CZ12345679"],
  [left + 6, 618, 10, false, "Contact: Jan Novák, jan.novak@vzorova-doprava.example"],

  [right + 6, 676, 9, true, "Vehicle"],
  [right + 6, 660, 10, false, "Truck: 1BX 4821"],
  [right + 6, 646, 10, false, "Trailer: 2BK 9034"],
  [right + 6, 632, 10, false, "Type: tautliner 13.6 m"],
  [right + 6, 618, 10, false, "Driver: Petr Svoboda"],

  [left + 6, 586, 9, true, "Loading"],
  [left + 6, 570, 10, false, "Muster Papierwerke GmbH"],
  [left + 6, 556, 10, false, "Industriestraße 5"],
  [left + 6, 542, 10, false, "04158 Leipzig, Germany"],
  [left + 6, 528, 10, false, "Date: 24.11.2026   08:00 - 12:00"],
  [left + 6, 514, 10, false, "Reference: LP-88213"],

  [right + 6, 586, 9, true, "Unloading"],
  [right + 6, 570, 10, false, "Drukarnia Przykład Sp. z o.o."],
  [right + 6, 556, 10, false, "ul. Fabryczna 18"],
  [right + 6, 542, 10, false, "53-609 Wroclaw, Poland"],
  [right + 6, 528, 10, false, "Date: 25.11.2026   07:00 - 15:00"],
  [right + 6, 514, 10, false, "Reference: DP-1190"],

  [left + 6, 478, 9, true, "Goods"],
  [235, 478, 9, true, "Quantity"],
  [335, 478, 9, true, "Gross weight"],
  [445, 478, 9, true, "Loading metres"],
  [left + 6, 459, 10, false, "Printing paper on pallets"],
  [235, 459, 10, false, "33 EUR pallets"],
  [335, 459, 10, false, "22 400 kg"],
  [445, 459, 10, false, "13.6 ldm"],

  [left, 424, 11, true, "Freight price: 780.00 EUR net"],
  [left, 408, 10, false, "Payment term: 30 days after receipt of the invoice and the original CMR."],

  [left, 374, 9, true, "Conditions"],
  [
    left,
    358,
    9,
    false,
    "1. Two edge protectors and one strap for each metre of load. The driver is present at loading and unloading.",
  ],
  [left, 344, 9, false, "2. Transshipment and reloading are not allowed without our written consent."],
  [left, 330, 9, false, "3. Please send the invoice and the signed CMR to invoices@beispiel-spedition.example."],
  [left, 316, 9, false, "4. Waiting time is paid after 24 hours at 250.00 EUR a day, when confirmed in the CMR."],

  [left, 262, 10, false, "Anna Beispiel, dispatcher"],
  [right, 262, 10, false, "Carrier's stamp and signature"],
];

const boxes = [
  { x: left, y: 608, width: 250, height: 84 },
  { x: right, y: 608, width: 235, height: 84 },
  { x: left, y: 504, width: 250, height: 98 },
  { x: right, y: 504, width: 235, height: 98 },
  { x: left, y: 472, width: 495, height: 18, fill: grey },
  { x: left, y: 450, width: 495, height: 40 },
];

writeFileSync("docs/sample-order.pdf", onePage({ title: "Transport order BS-26-04711", text, boxes }));
