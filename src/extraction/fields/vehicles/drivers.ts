import type { Entity } from "../../entities/entity.ts";
import { personAt, personName } from "../parties/people.ts";
import { valueAreasOf } from "../labels/value-areas.ts";
import { trimmedSpan, type TextSpan } from "../../layout/text-span.ts";
import { FieldValue } from "../confidence/field-value.ts";
import { entitiesOfType, type Label, type LocatedEntity } from "../labels/annotations.ts";
import { indexAt } from "../../layout/page-index.ts";
import { numberBeside } from "../parties/signatures.ts";
import { findCandidates, type DocumentContext } from "../labels/values.ts";
import { scores } from "../scores.ts";

/** Name and phone number of a driver. */
export interface Driver {
  name?: FieldValue<string>;
  phone?: FieldValue<string>;
}

const nameBehind =
  /^[\s,:]{1,3}(?:(?:[Pp]an|[Pp]|[Ss]ig|[Hh]err|[Hh]r|[Dd]hr|[Ss]r|[Mm]r|M)\.?\s)?\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*\s\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*(?=\s*(?:[,;()]|$|\.(?:\s|$)|[-–+]|\p{Ll}))/u;

/** Whether a first and last name directly follow the label within a sentence: "The driver Jan Kowalski, tel. …". */
function namesSomebody({ segment, end }: Label): boolean {
  return nameBehind.test(segment.text.slice(end));
}

/** Finds drivers whose names follow a label, otherwise the person whose name and phone number follow a plate. */
export function driversIn(document: DocumentContext, plates: readonly LocatedEntity<"Plate">[]): Driver[] {
  const named = labelledDrivers(document);
  return named.length > 0 ? named : plates.flatMap((plate) => behindPlate(document, plate) ?? []).slice(0, 1);
}

function labelledDrivers(document: DocumentContext): Driver[] {
  const labels = document.annotations.labels.filter(
    (label) =>
      label.meanings.some(
        ({ concept, weight }) => (concept === "driver" || concept === "driverPhone") && weight >= scores.meaning,
      ) &&
      (label.standing !== "Loose" || namesSomebody(label)),
  );
  const drivers: Driver[] = [];
  for (const label of labels) {
    const name = personAt(document, label) ?? calledBy(document, label);
    if (!name || (document.prose.has(label.segment) && !namesSomebody(label))) continue;
    if (drivers.some((driver) => driver.name?.value === name.text)) continue;
    const phone = phoneAfter(document, label, name);
    drivers.push(
      { name: new FieldValue(name.text, scores.driver.labelled, name), ...(phone && { phone }) },
      ...others(document, name),
    );
  }
  return drivers;
}

const oneName =
  /^[\s:.]{0,3}(?:(?:[Pp]an|[Pp]|[Ss]ig|[Hh]err|[Hh]r|[Dd]hr|[Ss]r|[Mm]r|M)\.?\s)?(\p{Lu}\p{Ll}{2,}(?:\s(?:ml|st|jr|sn)\.)?)(?=\s*(?:$|[,;(/|+\d]|tel|mob))/u;

/** Finds a single name, which is enough after a label for drivers: "Driver: Andrij, +48 …". */
function calledBy(document: DocumentContext, label: Label): TextSpan | undefined {
  const { standing, meanings } = label;
  const sure =
    standing !== "Loose" &&
    meanings.some(({ concept, weight }) => concept === "driver" && weight >= scores.driver.sureLabel);
  const [area] = sure ? valueAreasOf(document.annotations, label) : [];
  if (!area || area.crossed > 0 || (area.way !== "Same" && area.way !== "Right")) return undefined;
  const match = oneName.exec(area.segment.text.slice(area.start, area.end));
  if (!match?.[1]) return undefined;
  const last = area.start + match[0].length;
  return trimmedSpan(area.segment, last - match[1].length, last);
}

const nextName =
  /^[^/|;]{0,30}[/|;]\s?(\p{Lu}[\p{L}\p{M}'’-]+(?:\s\p{Lu}[\p{L}\p{M}'’-]+){1,2})(?=[\s,:]+(?:tel|mob|\+|\d))/u;

/** Finds a second driver with a phone number after the first: "… / Jan Nowak 600 100 200". */
function others(document: DocumentContext, { segment, end }: TextSpan): Driver[] {
  const match = nextName.exec(segment.text.slice(end));
  if (!match?.[1]) return [];
  const last = end + match[0].length;
  const name = trimmedSpan(segment, last - match[1].length, last);
  const phone = phoneBehind(document, name);
  return phone ? [{ name: new FieldValue(name.text, scores.driver.second, name), phone: printed(phone) }] : [];
}

const nameAndNumber =
  /^[\s,;/|–-]{1,4}(\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*(?:\s\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*){1,2})[\s,:(]+(?:(?:tel|mob)\.?:?\s?)?(?=[+\d])/u;

/** Finds the driver as a person named after the plates: "GWE 4418 / GWE 9PK7, Jan Nowak +48 600 …". */
function behindPlate(document: DocumentContext, { segment, entity }: LocatedEntity<"Plate">): Driver | undefined {
  const match = nameAndNumber.exec(segment.text.slice(entity.end));
  if (
    !match?.[1] ||
    !personName.test(match[1]) ||
    isTaken(document.annotations.entitiesIn[segment.index] ?? [], entity.end, match)
  )
    return undefined;
  const start = entity.end + match[0].indexOf(match[1]);
  const name = trimmedSpan(segment, start, start + match[1].length);
  const phone = phoneBehind(document, name);
  return phone && { name: new FieldValue(name.text, scores.driver.behindPlates, name), phone: printed(phone) };
}

function isTaken(entities: readonly Entity[], from: number, match: RegExpExecArray): boolean {
  const end = from + match[0].length;
  return entities.some(
    ({ type, start, end: to, score }) =>
      (type === "Company" || type === "Place" || type === "Street") &&
      score >= scores.driver.other &&
      start < end &&
      to > from,
  );
}

function phoneBehind(document: DocumentContext, { segment, end }: TextSpan): LocatedEntity<"Phone"> | undefined {
  return entitiesOfType(document.annotations, "Phone", [segment]).find(
    ({ entity }) => entity.start >= end && entity.start - end < nearNumber,
  );
}

const nearNumber = 12;

function printed({ segment, entity: { start, end } }: LocatedEntity<"Phone">): FieldValue<string> {
  return new FieldValue(segment.text.slice(start, end), scores.driver.phone, { segment, start, end });
}

function phoneAfter(document: DocumentContext, label: Label, name: TextSpan): FieldValue<string> | undefined {
  const { segment } = name;
  const labelled = findCandidates(document, { concepts: ["driverPhone", "driver"], types: ["Phone"] })[0];
  const inLine = entitiesOfType(document.annotations, "Phone", [segment]);
  const beside = inLine.find(({ entity }) => entity.start >= name.end) ?? inLine[0];
  const row = indexAt(document.annotations.layout, segment).rowOf(segment);
  const right = entitiesOfType(
    document.annotations,
    "Phone",
    row.filter((other) => other.box.x0 >= label.segment.box.x0),
  )[0];
  const below = entitiesOfType(document.annotations, "Phone").find(
    (phone) =>
      phone.segment.page === segment.page &&
      phone.segment.row > segment.row &&
      phone.segment.row <= segment.row + 2 &&
      Math.abs(phone.segment.box.x0 - segment.box.x0) < 2 * segment.size,
  );
  const own = beside ?? numberBeside(document, name);
  const chosen =
    own ?? (labelled && labelled.score > scores.driver.labelledPhone ? labelled : undefined) ?? right ?? below;
  return chosen && printed(chosen);
}
