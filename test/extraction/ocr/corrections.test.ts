import { expect, test } from "vitest";
import { restoreAtSigns } from "../../../src/extraction/ocr/corrections.ts";

/** Email addresses in which OCR misread "@", because the models of many languages do not contain this character. */
const pages: [page: string, word: string, read: string][] = [
  ["OÜ Saaremets Ekspeditsioon", "billing0saaremets.example", "billing@saaremets.example"],
  ["Balafa Cargo Kft.", "rechnung6balafa-cargo.example", "rechnung@balafa-cargo.example"],
  ["SC Carptis SRL", "dobreecarptis.example", "dobre@carptis.example"],
  ["Spediția Știrbeț S.A.", "iona©stirbet.example", "iona@stirbet.example"],
  ["UAB Gintaras", "dispoGgintaras-cargo.example", "dispo@gintaras-cargo.example"],
  ["no name on it", "lukaszQtorlin.example", "lukasz@torlin.example"],
  ["faktury@krajwoz.example", "biurookrajwoz.example", "biuro@krajwoz.example"],
  ["Carptis", "www.carptis.example", "www.carptis.example"],
  ["Carptis", "https://portal.carptis.example", "https://portal.carptis.example"],
  ["Carptis", "carptis.example", "carptis.example"],
  ["Meer", "zeeGroen.Example", "zeeGroen.Example"],
  ["Meer", "roeecoolen.example", "roeecoolen.example"],
  ["Meer", "a@b.example", "a@b.example"],
  ["Maut", "12.50", "12.50"],
  ["Meer", "orderGroep.pdf", "orderGroep.pdf"],
];

test.for(pages)("on a page with %s the word %s is corrected to %s", ([page, word, read]) => {
  const before = page.split(" ");
  expect(restoreAtSigns([...before, word])).toEqual([...before, read]);
});
