import * as z from "zod";
import { GuestAnswer, GuestOfferInput } from "../../areas/freights/offers/model.ts";
import { Plate } from "../../domain/shapes.ts";
import { itemsOf, Problem, type ErrorItem } from "../../platform/problem.ts";
import type { FormState } from "./form.ts";
import { parseAmount } from "./format.ts";
import type { Messages } from "../../i18n/language.ts";

/** The parsed fields of a form on a freight page. */
export type FormInput =
  | { action: "Offer"; offer: GuestOfferInput }
  | { action: GuestAnswer["action"]; answer: GuestAnswer };

const Action = z.object({ action: z.enum(["Offer", ...GuestAnswer.shape.action.options]) });

/** Returns the name that the sent form has on the page. */
export const formNameOf = ({ action = "" }: Record<string, string>): string =>
  action === "Offer" ? "new" : action.toLowerCase();

/**
 * Parses the fields of a form.
 * @throws Problem `validation_failed` that names the invalid fields
 */
export function parseForm(fields: Record<string, string>): FormInput {
  const { action } = parsed(Action, fields);
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
  const price = filled["price"] === undefined ? {} : { price: parseAmount(filled["price"]) };
  if (action === "Offer") {
    const vehicle = filled["vehicle"] === undefined ? {} : { vehicle: vehicleIn(filled["vehicle"]) };
    return { action, offer: parsed(GuestOfferInput, { ...filled, ...price, ...vehicle }) };
  }
  return { action, answer: parsed(GuestAnswer, { ...filled, ...price, seen: fields["seen"] ?? "" }) };
}

/** A text that does not consist of number plates is taken as a description of the vehicle. */
function vehicleIn(text: string): { licensePlates: string[] } | { description: string } {
  const plates = text.split(/[,;/+]/).filter((part) => part.trim() !== "");
  return plates.length > 0 && plates.every(isPlate) ? { licensePlates: plates } : { description: text };
}

/** A plate has a digit, and at most three adjacent letters. */
const isPlate = (text: string) => /\p{N}/u.test(text) && !/\p{L}{4}/u.test(text) && Plate.safeParse(text).success;

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const result = shape.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Problem("validation_failed", undefined, { errors: itemsOf(result.error) });
}

/** Returns the values and errors of a refused form, to show it again. */
export function formStateOf(
  fields: Record<string, string>,
  problem: Problem,
  words: Messages["freightPages"]["problem"],
): FormState {
  const items = problem.reason === "validation_failed" ? (problem.errors ?? []) : [];
  const errors = Object.fromEntries(
    items.toReversed().map((item) => [item.field.split(".")[0]!, sentenceOf(item, words)]),
  );
  return { form: formNameOf(fields), values: fields, errors, message: messageOf(problem, words) };
}

function sentenceOf({ code, field }: ErrorItem, words: Messages["freightPages"]["problem"]): string {
  const named = words as Record<string, string>;
  const [name] = field.split(".");
  if (code === "too_big" && name !== "price") return words.too_long;
  return (
    [code, name!].map((key) => (Object.hasOwn(named, key) ? named[key] : undefined)).find(Boolean) ??
    words.validation_failed
  );
}

export const messageOf = ({ reason }: Problem, words: Messages["freightPages"]["problem"]): string => {
  if (reason === "freight_already_booked") return words.invalid_state;
  return Object.hasOwn(words, reason) ? words[reason as keyof typeof words] : words.validation_failed;
};
