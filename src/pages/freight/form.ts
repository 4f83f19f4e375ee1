import { icon } from "../frame/icons.ts";
import { html, type Markup } from "../html.ts";

/** Values of a sent form, and error messages by field. */
export interface FormState {
  form: string;
  values: Record<string, string>;
  errors: Record<string, string>;
  /** The error of the whole form. */
  message: string;
}

export interface Field {
  name: string;
  label: string;
  /** Text that marks the field as optional. */
  optional?: string;
  hint?: string;
  value?: string | undefined;
  /** Attributes of the `<input>`. */
  more?: Markup;
  isLong?: boolean;
}

/**
 * Renders a field with its label, hint and error.
 * @param id id of its form
 */
export function fieldView(id: string, field: Field, sent: FormState | undefined): Markup {
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
