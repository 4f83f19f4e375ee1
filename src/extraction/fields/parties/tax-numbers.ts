import type { ConceptId } from "../../lexicon/concepts.ts";
import { labelOf } from "../labels/line-label.ts";
import { findCodes } from "../labels/codes.ts";
import { FieldValue } from "../confidence/field-value.ts";
import type { Owned, Segment } from "../../layout/layout.ts";
import { entitiesOfType, type LocatedEntity } from "../labels/annotations.ts";
import type { Block, PartyDraft } from "./party.ts";
import { distance } from "../sections/sections.ts";
import type { DocumentContext } from "../labels/values.ts";

const yours: ReadonlySet<ConceptId> = new Set(["carrier"]);

/** Finds the tax number in the party's part of the page, otherwise one of its country that no other party has. */
export function taxNumberOf(
  document: DocumentContext,
  block: Block<string>,
  owned: Owned,
  all: readonly Block<string>[],
  claimed: ReadonlySet<string>,
  isAnothers: Owned = () => false,
): Pick<PartyDraft, "vatCode"> {
  const own = labelledCode(document, block, owned);
  const seen = entitiesOfType(document.annotations, "Vat").filter(
    ({ entity, segment }) =>
      entity.score >= 0.3 && !document.prose.has(segment) && !claimed.has(entity.value.code.replace(/\s/gu, "")),
  );
  const country = block.address?.place.entity.value.country;
  const others = all
    .filter((other) => other !== block)
    .flatMap((other) => other.address?.place.entity.value.country ?? []);
  const labelled = (segment: Segment, at: number) =>
    labelOf(document.annotations, segment, at)?.meanings.some((each) => each.concept === "vatNumber") ?? false;
  const score = ({ segment, entity }: LocatedEntity<"Vat">) => {
    const away = block.address ? distance(block.address.first.segment, segment) : Number.POSITIVE_INFINITY;
    const label = labelOf(document.annotations, segment, entity.start);
    const says = label?.meanings.some((each) => yours.has(each.concept)) && block.role === "Carrier" ? 1 : 0;
    return (
      (owned(segment, entity.start) ? 2 : 0) +
      (country && entity.value.country === country ? 1.5 : 0) -
      (country && entity.value.country !== country && others.includes(entity.value.country) ? 2.5 : 0) +
      (away < 10 ? 1 : 0) +
      (sameLineAs(block, segment) ? 1 : 0) +
      (entity.value.checked ? 0.5 : 0) -
      (label?.meanings.some((each) => each.concept === "registrationNumber") ? 3 : 0) -
      (isAnothers(segment, entity.start) ? 2 : 0) +
      says
    );
  };
  const best = seen.map((sighting) => ({ sighting, points: score(sighting) })).sort((a, b) => b.points - a.points)[0];
  if (!best || best.points < 1.5 || (own.vatCode && !owned(best.sighting.segment, best.sighting.entity.start)))
    return own;
  const { segment, entity } = best.sighting;
  const foreign = country !== undefined && entity.value.country !== country && !entity.value.checked;
  if (own.vatCode && foreign && !labelled(segment, entity.start)) return own;
  return {
    vatCode: new FieldValue(entity.value.code.replace(/\s/gu, ""), Math.min(0.97, 0.4 + 0.14 * best.points), {
      segment,
      start: entity.start,
      end: entity.end,
    }),
  };
}

function labelledCode(document: DocumentContext, block: Block<string>, owned: Owned): Pick<PartyDraft, "vatCode"> {
  const [code] = findCodes(document, ["vatNumber"], owned);
  const country = block.address?.place.entity.value.country ?? document.countries[0];
  const figures = code?.span.text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase() ?? "";
  if (!code || figures.replace(/\D/gu, "").length < 7) return {};
  return {
    vatCode: new FieldValue(
      /^\p{L}{2}/u.test(figures) ? figures : `${country ?? ""}${figures}`,
      0.6 * code.score,
      code.span,
    ),
  };
}

function sameLineAs(block: Block<string>, segment: Segment): boolean {
  const name = block.address?.name;
  return name !== undefined && segment.text.includes(name.text);
}
