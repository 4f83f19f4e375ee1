import { describe, expect, test } from "vitest";
import { reading, withGazetteer } from "../../../support/extract-text.ts";

withGazetteer();

describe("the territory of a policy", () => {
  test.each([
    [
      "a list in a sentence",
      "Der Schutz gilt für Verkehre in und zwischen Österreich, Italien und Slowenien.",
      ["AT", "IT", "SI"],
    ],
    [
      "names in another case",
      "Poistenie sa vzťahuje na územie Slovenska, Českej republiky a Rakúska.",
      ["SK", "CZ", "AT"],
    ],
    ["a region with an exclusion", "Territorial limits: Europe (excluding Belarus)", ["Europe"]],
    ["codes", "Territory: PL, DE, NL", ["PL", "DE", "NL"]],
  ])("is read from %s", async (_, line, territory) => {
    const text = `Example Insurance Ltd
Certificate of insurance
Policy no.: EX-M 9004 177
Policyholder: Sample Haulage Ltd, 12 Long Road, Leeds
Period of insurance: 01.03.2026 - 28.02.2027
Sum insured: 300,000 EUR
${line}`;
    const { data } = await reading("insurance", text);
    expect(data).toMatchObject({
      policyNumber: "EX-M 9004 177",
      validFrom: "2026-03-01",
      validTo: "2027-02-28",
      territory,
    });
  });
});
