import type { ConceptId } from "../../lexicon/concepts.ts";
import { countryOfCode, countryOfName } from "../../lexicon/countries.ts";
import { foldName } from "../../lexicon/fold.ts";
import stateNames from "../../lexicon/state-names.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { DriverDocumentType } from "./view.ts";

/** What documents of drivers call themselves. */
export const driverTitles: Partial<Record<ConceptId, DriverDocumentType>> = {
  titleDrivingLicence: "DrivingLicence",
  titleDriverCard: "DriverCard",
  titleDriverQualification: "Code95",
  titleAdrCertificate: "Adr",
  titleIdentityCard: "IdentityCard",
  titlePassport: "Passport",
  titleResidencePermit: "ResidencePermit",
  titlePostingCertificate: "A1",
  titleMedical: "Medical",
};
const standings = { Head: 1, Lead: 0.7, Inline: 0.6, Tail: 0.6, Loose: 0.25 };

/** What the document calls itself: the title that is printed highest and largest. */
export function driverTypeOf(document: DocumentContext): FieldValue<DriverDocumentType> | undefined {
  const named = document.annotations.labels.flatMap((label) => {
    const [best] = label.meanings.filter(({ concept }) => driverTitles[concept]).sort((a, b) => b.weight - a.weight);
    const type = best && driverTitles[best.concept];
    if (!best || !type || (document.prose.has(label.segment) && label.standing === "Loose")) return [];
    const { segment, standing, start, end } = label;
    const height = document.annotations.layout.pages[segment.page - 1]?.height ?? 1;
    const letters = (end - start) / Math.max(1, segment.text.length);
    const numbered = /^\s*(?:n|č|№|#)/iu.test(segment.text.slice(end)) ? 0.3 : 0;
    const score =
      best.weight * standings[standing] +
      0.4 * letters +
      segment.size / 60 -
      (segment.box.y0 / height) * 0.5 -
      (segment.page - 1) * 0.3 -
      numbered;
    return [{ type, score, label }];
  });
  const [first] = named.sort((a, b) => b.score - a.score);
  if (!first) return undefined;
  const { segment, start, end } = first.label;
  return new FieldValue(first.type, Math.min(0.95, 0.5 + 0.4 * first.score), { segment, start, end });
}

const states = new Map(
  Object.entries(stateNames).flatMap(([code, names]) => names.map((name) => [foldName(name), code] as const)),
);
const headRows = 8;

/** The state that issued it: behind its label, by its full name, by its name or letters on top. */
export function issuingCountryOf(document: DocumentContext): FieldValue<string> | undefined {
  const segments = document.annotations.layout.segments.filter(({ page }) => page === 1);
  for (const segment of segments) {
    const name = foldName(segment.text);
    for (const [state, code] of states)
      if (name === state || (state.includes(" ") && ` ${name} `.includes(` ${state} `)))
        return new FieldValue(code, 0.92, { segment, start: 0, end: segment.text.length });
  }
  const labelled = textAfter(document, ["issuedBy", "country"], {
    fits: (text) => countryIn(text) !== undefined,
    least: 0.3,
  });
  if (labelled) return labelled.as(countryIn(labelled.value) ?? "");
  const top = segments.filter(({ row }) => row < headRows);
  for (const segment of top) {
    const code = /^[A-Z]{1,3}$/u.test(segment.text) ? countryOfCode(segment.text) : countryOfName(segment.text);
    if (code) return new FieldValue(code, 0.75, { segment, start: 0, end: segment.text.length });
  }
  const inside = top.find(({ text }) =>
    text.split(/[\s,;()/–—-]+/u).some((word) => word.length > 4 && countryOfName(word)),
  );
  const word = inside?.text.split(/[\s,;()/–—-]+/u).find((part) => part.length > 4 && countryOfName(part));
  return inside && word
    ? new FieldValue(countryOfName(word) ?? "", 0.6, {
        segment: inside,
        start: inside.text.indexOf(word),
        end: inside.text.indexOf(word) + word.length,
      })
    : undefined;
}

function countryIn(text: string): string | undefined {
  if (/^[A-Z]{2,3}$/u.test(text)) return countryOfCode(text);
  return (
    countryOfName(text) ??
    text
      .split(/[,;()/]+/u)
      .map((part) => countryOfName(part.trim()))
      .find((code) => code !== undefined)
  );
}
