import { icon } from "../frame/icons.ts";
import { html, type Markup } from "../html.ts";

/** What a form was sent with, and what of it was not right: sentences by the field's name. */
export interface Sent {
  /** Which form it was. */
  form: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** What is said of all of it. */
  message: string;
}

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  /** Said beside the label of one that may be left empty. */
  optional?: string;
  hint?: string;
  value?: string | undefined;
  /** Of the `<input>`: its type, its keyboard, what the browser may fill in. */
  more?: Markup;
  isLong?: boolean;
}

/** A field with its label, its hint, and what was wrong with it when it was sent. @param id of the form it is in */
export function fieldView(id: string, field: Field, sent: Sent | undefined): Markup {
  const { name, label, optional, hint, isLong } = field;
  const own = sent?.form === id ? sent : undefined;
  const [key, error] = [`${id}-${name}`, own?.errors[name]];
  const value = own ? own.values[name] : field.value;
  const described = [hint && `${key}-hint`, error && `${key}-error`].filter(Boolean).join(" ");
  const more = html`id="${key}"
  name="${name}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}${!optional && html` required`}${field.more && html` ${field.more}`}`;
  return html`<p class="field">
    <label for="${key}">${label}${optional && html` <span class="optional">(${optional})</span>`}</label>
    ${isLong ? html`<textarea rows="3" ${more}>${value}</textarea>` : html`<input value="${value}" ${more} />`}
    ${hint && html`<span class="hint" id="${key}-hint">${hint}</span>`}
    ${error && html`<span class="error" id="${key}-error">${icon("bad")}${error}</span>`}
  </p>`;
}
