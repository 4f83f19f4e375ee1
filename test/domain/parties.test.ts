import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSameParty, vatCodeSearch, vatCodeTerms, withKnownVatCode, type Identity } from "../../src/domain/parties.ts";
import { haveSameVatCode } from "../../src/extraction/lexicon/vat-codes.ts";

describe("VAT codes", () => {
  test.each([
    ["PL5260250274", "5260250274"],
    ["PL5260250274", "pl 526-025-02-74"],
    ["PL5260250274", "526.025.02.74"],
    ["EL123456789", "GR123456789"],
    ["XI123456789", "GB 123 4567 89"],
    ["CHE-123.456.789 MWST", "CHE123456789"],
    ["CHE-123.456.789 TVA", "123.456.789 IVA"],
    ["NO 923 456 783 MVA", "923456783"],
    ["ATU12345678", "U12345678"],
    ["ATU12345678", "12345678"],
    ["BE0123456789", "BE123456789"],
    ["BE 123.456.789", "0123456789"],
    ["HU12345678", "12345678-2-41"],
    ["ESB12345678", "B-12345678"],
    ["NL123456789B01", "123456789b01"],
  ])("%s and %s are VAT codes of one company", (one, other) => {
    expect(haveSameVatCode(one, other)).toBe(true);
    expect(haveSameVatCode(other, one)).toBe(true);
  });

  test.each([
    ["PL5260250274", "SK5260250274"],
    ["DE123456788", "SE123456788"],
    ["PL5260250274", "PL5260250275"],
    ["GB123456789", "EL123456789"],
    ["NL123456789B01", "NL123456789B02"],
    ["CZ123456789", "CZ0123456789"],
    ["PL", "PL"],
    ["0000000000", "0000000000"],
    ["none", "none"],
    ["", ""],
  ])("%s and %s do not identify one company", (one, other) => {
    expect(haveSameVatCode(one, other)).toBe(false);
    expect(haveSameVatCode(other, one)).toBe(false);
  });
});

const [vzorova, jina] = ["Vzorová Doprava s.r.o.", "Jiná Doprava s.r.o."];

describe("parties", () => {
  test.each<[string, Identity, Identity]>([
    ["one VAT code", { vatCode: "CZ12345679" }, { vatCode: "12345679" }],
    ["one VAT code and another name", { name: vzorova, vatCode: "CZ12345679" }, { name: jina, vatCode: "CZ12345679" }],
    ["a name that gains a VAT code", { name: vzorova }, { name: vzorova, vatCode: "CZ12345679" }],
    ["a name in another spelling", { name: vzorova }, { name: "  VZOROVA   doprava, SRO" }],
    [
      "a name that gains an invalid VAT code",
      { name: vzorova, vatCode: "CZ12345679" },
      { name: vzorova, vatCode: "-" },
    ],
    ["names in Cyrillic", { name: "ООО «Транс»" }, { name: "ооо транс" }],
    ["invalid VAT codes without names", { vatCode: "NA" }, { vatCode: "n/a" }],
  ])("two descriptions with %s are the same party", (_, one, other) => {
    expect(isSameParty(one, other)).toBe(true);
    expect(isSameParty(other, one)).toBe(true);
  });

  test.each<[string, Identity, Identity]>([
    ["another name", { name: vzorova }, { name: jina }],
    ["another name and a VAT code", { name: vzorova }, { name: jina, vatCode: "CZ12345679" }],
    ["another name and no VAT code any more", { name: vzorova, vatCode: "CZ12345679" }, { name: jina }],
    [
      "another VAT code and the same name",
      { name: vzorova, vatCode: "CZ12345679" },
      { name: vzorova, vatCode: "CZ87654321" },
    ],
    [
      "another country's VAT code",
      { name: vzorova, vatCode: "PL5260250274" },
      { name: vzorova, vatCode: "SK5260250274" },
    ],
    ["a VAT code alone instead of a name", { name: vzorova }, { vatCode: "CZ12345679" }],
    ["a word repeated", { name: "Trans Trans" }, { name: "Trans" }],
    ["names that consist of punctuation", { name: "***" }, { name: "---" }],
    ["an invalid VAT code and another name", { name: vzorova, vatCode: "NA" }, { name: jina, vatCode: "NA" }],
    ["another legal form", { name: vzorova }, { name: "Vzorová Doprava a.s." }],
  ])("two descriptions with %s are different parties", (_, one, other) => {
    expect(isSameParty(one, other)).toBe(false);
    expect(isSameParty(other, one)).toBe(false);
  });
});

const digits = (length: number) =>
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(""));
/** VAT codes of countries in which a code can only be written in one form. */
const plain = fc.record({ country: fc.constantFrom("PL", "SK", "DE", "IT", "LT"), number: digits(10) });
const few = fc.record({
  country: fc.constantFrom("PL", "SK", ""),
  number: fc.constantFrom("5260250274", "1234567891"),
});
const identity: fc.Arbitrary<Identity> = fc.record({
  name: fc.option(fc.oneof(fc.constantFrom(vzorova, jina), fc.string({ minLength: 1 })), { nil: undefined }),
  vatCode: fc.option(
    fc.oneof(
      few.map(({ country, number }) => country + number),
      fc.string({ minLength: 1 }),
    ),
    { nil: undefined },
  ),
});
const separators = fc.array(fc.constantFrom("", " ", ".", "-", "/", "\u00a0"), { minLength: 12, maxLength: 12 });

describe("for any two parties", () => {
  test("the comparison is symmetric, and each party is the same as itself", () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        expect(isSameParty(one, other)).toBe(isSameParty(other, one));
        expect(isSameParty(one, one)).toBe(true);
      }),
    );
  });

  test("case, separators and the country prefix do not matter, every digit does", () => {
    fc.assert(
      fc.property(plain, separators, fc.boolean(), fc.nat(9), ({ country, number }, between, isPrefixed, at) => {
        const written = [...(isPrefixed ? country.toLowerCase() : ""), ...number]
          .map((letter, index) => letter + between[index])
          .join("");
        expect(haveSameVatCode(country + number, written)).toBe(true);
        const digit = (Number(number[at]) % 9) + 1;
        const wrong = number.slice(0, at) + digit + number.slice(at + 1);
        expect(haveSameVatCode(country + wrong, written)).toBe(false);
      }),
    );
  });

  test("a known party never becomes another one, whatever details are added later", () => {
    fc.assert(
      fc.property(identity, fc.array(identity, { maxLength: 20 }), (first, later) => {
        const described = later.reduce<Identity[]>(
          ([now, ...earlier], next) => [
            isSameParty(now!, next) ? withKnownVatCode(now!, next) : now!,
            now!,
            ...earlier,
          ],
          [first],
        );
        const codes = described.map(({ vatCode = "" }) => vatCode).filter((code) => /^(?:PL|SK)\d{10}$/.test(code));
        expect(new Set(codes).size).toBeLessThan(2);
      }),
      { numRuns: 500 },
    );
  });

  test("a search by VAT code finds the codes of the same company and no others", () => {
    fc.assert(
      fc.property(few, few, (stored, asked) => {
        const [one, other] = [stored.country + stored.number, asked.country + asked.number];
        const terms = vatCodeTerms("vat", one);
        const isFound = vatCodeSearch("vat", other).some((all) => all.every((term) => terms.includes(term)));
        expect(isFound).toBe(haveSameVatCode(one, other));
      }),
    );
  });
});
