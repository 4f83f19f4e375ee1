import type { Check } from "../../document/extraction-result.ts";
import type { MachineReadableZone } from "../../entities/mrz.ts";
import { compared } from "../checks.ts";
import type { DriverDocumentView } from "./view.ts";

/** Checks the order of the dates, and the check digits of the machine-readable zone. */
export function checkDriverDocument(
  { issuedAt, expiresAt, holder, number }: DriverDocumentView,
  zone: MachineReadableZone | undefined,
): Check[] {
  const pointers = { number: "/number", birthDate: "/holder/birthDate", expiresAt: "/expiresAt", all: "" } as const;
  return [
    ...compared(
      "IssuedBeforeExpiry",
      "The document must be issued before it expires.",
      ["/issuedAt", "/expiresAt"],
      issuedAt,
      expiresAt,
      (first, last) => first < last,
    ),
    ...compared(
      "BornBeforeIssue",
      "The holder must be born before the document is issued.",
      ["/holder/birthDate", "/issuedAt"],
      holder?.birthDate,
      issuedAt,
      (first, last) => first < last,
    ),
    ...(zone?.checks ?? []).map(({ field, passed }) => ({
      name: `CheckDigit${field.slice(0, 1).toUpperCase()}${field.slice(1)}`,
      passed,
      detail: "The check digit in the machine-readable zone must match the characters before it.",
      pointers: field === "all" ? (number === undefined ? [] : ["/number"]) : [pointers[field]],
    })),
  ];
}
