import type { Party } from "../../document/shapes.ts";
import { fold } from "../../lexicon/fold.ts";
import type { Address } from "../addresses/address.ts";
import { FieldValue, type FieldValues } from "../confidence/field-value.ts";
import { cleanedText } from "../route/stop-details.ts";
import { entitiesOfType, type Annotations } from "../labels/annotations.ts";

/** Role of a company in the order. */
export type PartyRole = "Customer" | "Carrier" | "Payer";
/** A company with evidence. */
export type PartyDraft = NonNullable<FieldValues<Party>>;

/** A company in its role, with the places where its address and name are printed. `confidence` is that of the role. */
export interface Block<Role extends string = PartyRole> {
  role: Role;
  address?: Address;
  name?: FieldValue<string>;
  confidence: number;
}

/** Returns the name of a company. Its confidence is higher if it was recognised as a company. */
export function nameOf({ address, name, confidence }: Block<string>): PartyDraft {
  if (address?.name && (address.named || !name))
    return {
      name: new FieldValue(cleanedText(address.name.text), confidence * (address.named ? 1 : 0.85), address.name),
    };
  return name ? { name } : {};
}

/**
 * Matches country letters before a postal code ("LV-1010"). They are removed, because the country is a separate field.
 */
const countryLetters = /^[A-Z]{1,2}[- ](?=\d)/u;

/** Returns the postal code, town, street and country of a printed address. */
export function addressOf({
  address,
  confidence,
}: Pick<Block<string>, "address" | "confidence">): Pick<PartyDraft, "country" | "postalCode" | "city" | "street"> {
  if (!address) return {};
  const { segment, entity } = address.place;
  const found = (value: string) =>
    new FieldValue(value, confidence * (0.5 + entity.score / 2), { segment, start: entity.start, end: entity.end });
  const { country, postalCode, city } = entity.value;
  return {
    ...(country && { country: found(country) }),
    ...(postalCode && { postalCode: found(postalCode.replace(countryLetters, "")) }),
    ...(city && { city: found(city) }),
    ...(address.street && {
      street: new FieldValue(cleanedText(address.street.text), confidence * 0.95, address.street),
    }),
  };
}

/** Returns the folded letters and digits only, to compare names. */
export const plain = (text: string) => fold(text).text.replace(/[^\p{L}\p{N}]/gu, "");

const least = 0.3;

/**
 * Whether the document contains a company, or its contact, tax or bank details. If not, no place belongs to a party and
 * no word is a name.
 */
export const namesAnyParty = ({ annotations }: { annotations: Annotations }): boolean =>
  (["Company", "Vat", "Iban", "Email", "Phone"] as const).some((type) =>
    entitiesOfType(annotations, type).some(({ entity }) => entity.score >= least),
  );
