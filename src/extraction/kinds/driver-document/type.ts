import type { ConceptId } from "../../lexicon/concepts.ts";
import { countryOfCode, countryOfName } from "../../lexicon/countries.ts";
import { foldName } from "../../lexicon/fold.ts";
import stateNames from "../../lexicon/state-names.json" with { type: "json" };
import { FieldValue } from "../../fields/confidence/field-value.ts";
import { textAfter } from "../../fields/labels/labelled-text.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import { segmentValue } from "../field-values.ts";
import { scores } from "./scores.ts";
import type { DriverDocumentType } from "./view.ts";

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
  titleDriverAttestation: "Other",
};

/**
 * Determines the document type by its title. Of several titles, a large one at the top of the first page counts most.
 */
export function driverTypeOf(document: DocumentContext): FieldValue<DriverDocumentType> | undefined {
  const { title, titleConfidence } = scores;
  const named = document.annotations.labels.flatMap((label) => {
    const [best] = label.meanings.filter(({ concept }) => driverTitles[concept]).sort((a, b) => b.weight - a.weight);
    const type = best && driverTitles[best.concept];
    if (!best || !type || (document.prose.has(label.segment) && label.standing === "Loose")) return [];
    const { segment, standing, start, end } = label;
    const height = document.annotations.layout.pages[segment.page - 1]?.height ?? 1;
    const shareOfLine = (end - start) / Math.max(1, segment.text.length);
    const isFieldLabel = /^\s*(?:n|č|№|#)/iu.test(segment.text.slice(end));
    const score =
      best.weight * title.standing[standing] +
      title.shareOfLine * shareOfLine +
      segment.size / title.unitFontSize +
      title.distanceFromTop * (segment.box.y0 / height) +
      title.perPage * (segment.page - 1) +
      (isFieldLabel ? title.beforeNumber : 0);
    return [{ type, score, label }];
  });
  const [first] = named.sort((a, b) => b.score - a.score);
  if (!first) return undefined;
  const { segment, start, end } = first.label;
  const confidence = Math.min(titleConfidence.max, titleConfidence.base + titleConfidence.factor * first.score);
  return new FieldValue(first.type, confidence, { segment, start, end });
}

const states = new Map(
  Object.entries(stateNames).flatMap(([code, names]) => names.map((name) => [foldName(name), code] as const)),
);
const headRows = 8;

/**
 * Finds the issuing country: a full state name, otherwise the text after a label, otherwise a name or code at the top
 * of the page.
 */
export function issuingCountryOf(document: DocumentContext): FieldValue<string> | undefined {
  const segments = document.annotations.layout.segments.filter(({ page }) => page === 1);
  for (const segment of segments) {
    const name = foldName(segment.text);
    for (const [state, code] of states)
      if (name === state || (state.includes(" ") && ` ${name} `.includes(` ${state} `)))
        return segmentValue(code, segment, scores.country.fullStateName);
  }
  const labelled = textAfter(document, ["issuedBy", "country"], {
    fits: (text) => countryIn(text) !== undefined,
  });
  if (labelled) return labelled.as(countryIn(labelled.value) ?? "");
  const top = segments.filter(({ row }) => row < headRows);
  for (const segment of top) {
    const code = /^[A-Z]{1,3}$/u.test(segment.text) ? countryOfCode(segment.text) : countryOfName(segment.text);
    if (code) return segmentValue(code, segment, scores.country.lineAtTop);
  }
  for (const segment of top) {
    const word = segment.text.split(/[\s,;()/–—-]+/u).find((each) => each.length > 4 && countryOfName(each));
    if (!word) continue;
    const start = segment.text.indexOf(word);
    return new FieldValue(countryOfName(word) ?? "", scores.country.wordAtTop, {
      segment,
      start,
      end: start + word.length,
    });
  }
  return undefined;
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
