import { describe, expect, test } from "vitest";
import { fold } from "../../../src/extraction/lexicon/fold.ts";
import { findCompanies } from "../../../src/extraction/entities/companies.ts";

describe("companies in sentences", () => {
  test.each([
    ["Please collect on 24.11.2026 at 8:00 from Tolley Tools Ltd", "Tolley Tools Ltd"],
    ["Deliver 1500 to Groenhof Machines B.V.", "Groenhof Machines B.V."],
    ["Entladung am 24.11. bei der Firma Blechwerk Hauser GmbH", "Blechwerk Hauser GmbH"],
    ["prosím naložte ve firmě Kovodíly Svoboda s.r.o.", "Kovodíly Svoboda s.r.o."],
    ["Le chargement a lieu chez Papeterie du Lac SARL", "Papeterie du Lac SARL"],
  ])("%s", (line, name) => {
    expect(findCompanies(fold(line)).map(({ value }) => value)).toEqual([name]);
  });

  test.each(["Arts en Provence SARL", "Firma Handlowa Kowal Sp. z o.o.", "Trans 2000 Logistik GmbH", "Bags to Go Ltd"])(
    "%s is a complete name",
    (name) => {
      expect(findCompanies(fold(name)).map(({ value }) => value)).toEqual([name]);
    },
  );

  test("letters before digits are a country code, not a legal form", () => {
    expect(findCompanies(fold("Lagerweg 9, SE 761 74 Norrtälje"))).toEqual([]);
  });
});
