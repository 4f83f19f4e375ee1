import { fields } from "../layouts/fields.ts";
import type { House } from "../layouts/house.ts";
import { beside, lines, stack, text, type Page } from "../layouts/node.ts";
import { headline } from "../layouts/page.ts";
import { treeLayouts } from "../layouts/write.ts";

/** A labelled value of a form. The value may have several lines. */
export interface Field {
  label: string;
  value: string;
}

/** The texts of a notice, certificate or card, from which each layout makes a file. */
export interface Form {
  letterhead: string[];
  recipient: string[];
  title: string;
  opening: string;
  fields: Field[];
  closing: string[];
}

function page(house: House, form: Form): Page {
  const dice = house.dice("form");
  const top = [form.letterhead, form.recipient].filter(({ length }) => length > 0).map((of) => lines(of));
  const items = form.fields.map((field) => ({ about: "remarks" as const, ...field }));
  const opening = form.opening ? [text(form.opening)] : [];
  const parts = [...opening, fields(house, dice, items), lines(form.closing)];
  return {
    body: stack([...(dice.happens(0.3) ? [beside(top)] : top), headline(dice, form.title), ...parts]),
    foot: [],
  };
}

/** Layouts of fines, policies and drivers' documents by name. */
export const formLayouts = treeLayouts({ pdf: 12, txt: 3, html: 1 }, page);
