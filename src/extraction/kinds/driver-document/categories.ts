import { FieldValue } from "../../fields/confidence/field-value.ts";
import { wordsBehind } from "../../fields/labels/labelled-words.ts";
import type { TextSpan } from "../../layout/text-span.ts";
import type { DocumentContext } from "../../fields/labels/values.ts";
import type { DriverDocumentType } from "./view.ts";
import type { FieldNumber } from "./fields.ts";

const licence =
  /(?<![\p{L}\d])(?:AM|A1|A2|A|B1|BE|B|C1E|C1|CE|C|D1E|D1|DE|D|B\+E|C\+E|C1\+E|D\+E|D1\+E|T|L|F|G|M|Tm)(?![\p{L}\d+])/gu;
const dangerous = /(?<![\p{L}\d.])([1-9](?:\.[1-6][A-Z]?)?)(?![\p{L}\d])/gu;
const most = 24;

/** The categories of a licence or the classes of an ADR certificate; code 95 where it is printed on either card. */
export function categoriesOf(
  around: DocumentContext,
  type: DriverDocumentType | undefined,
  fields: ReadonlyMap<FieldNumber, TextSpan>,
): FieldValue<string>[] {
  if (type !== "DrivingLicence" && type !== "Code95" && type !== "Adr") return [];
  const pattern = type === "Adr" ? dangerous : licence;
  const labelled = wordsBehind(around, ["licenceCategories"], {
    lines: 3,
    fits: (text) => text.search(pattern) >= 0,
  })[0];
  const piece = (type === "Adr" ? undefined : fields.get("9")) ?? labelled?.piece;
  const text = piece && piece === labelled?.piece ? labelled.text : piece?.text;
  if (!piece || !text) return [];
  const values = [...text.matchAll(pattern)].map((match) => match[0].replace("+", ""));
  const marked = [text, fields.get("10")?.text, fields.get("12")?.text].join(" ");
  const code95 = type !== "Adr" && /(?<!\d)95(?!\d)/u.test(marked) ? ["95"] : [];
  return [...new Set([...values, ...code95])].slice(0, most).map((value) => new FieldValue(value, 0.85, piece));
}
