import type { Context, Hono } from 'hono';
import type { ApiError } from '@storefront/client';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import type { Sentence } from '../words/translate.ts';
import { page } from './layout.ts';
import { problemOfForm, problemText } from './problems.ts';

export type Values = Readonly<Record<string, string>>;

/** Shows a page with its forms: with what was typed, and with what is wrong about it. */
export type Show = (c: Ctx, values: Values, error?: ApiError<string>) => Response | Promise<Response>;

/** The fields of a form that was sent, without those that were left empty. */
export async function sent(c: Context): Promise<Values> {
  const body = await c.req.parseBody();
  const texts = Object.entries(body).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.trim()]] : []));
  return Object.fromEntries(texts.filter(([, text]) => text !== '')) as Values;
}

/**
 * A page with forms that are sent to it. `change` does what one asks for; where that is refused, the page says why. What comes
 * back from a login with what was typed before is shown, and not done.
 */
export function formPage(
  app: Hono<Env>,
  path: string,
  show: Show,
  change: (c: Ctx, values: Values) => Promise<Response>,
) {
  app.get(path, (c) => show(c, {}));
  app.post(path, async (c) => {
    const values = await sent(c);
    if (values.typed !== undefined) return show(c, Object.fromEntries(new URLSearchParams(values.typed)));
    try {
      return await change(c, values);
    } catch (error) {
      return show(c, values, problemOfForm(error));
    }
  });
}

/** What was typed, to be sent once more: without secrets, which the form asks for again. */
export const withoutSecrets = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/password|code|passkey|secret|token/i.test(name)));

interface FieldOptions {
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'number' | 'time';
  /** What browsers fill in; see the list of the HTML standard. */
  readonly autocomplete?: string;
  readonly optional?: boolean;
  readonly hint?: Sentence;
  readonly rows?: number;
  readonly maxlength?: number;
  readonly numeric?: boolean;
}

/** The fields of a form, with what was typed and with what is wrong about it. */
export interface Form {
  /** What is wrong with the form as a whole; nothing where all is well. */
  readonly problem: Html;
  field(name: string, label: Sentence, options?: FieldOptions): Html;
  select(name: string, label: Sentence, options: readonly (readonly [value: string, label: string])[]): Html;
  hidden(...names: readonly string[]): Html;
}

/**
 * A form with these values. With an error, the page that shows it is answered with status 422. Forms that share a page need
 * different names.
 */
export function formOf(c: Ctx, values: Values = {}, error?: ApiError<string>, formName?: string): Form {
  const { t } = c.var;
  if (error) c.status(422);
  const idOf = (name: string) => (formName === undefined ? name : `${formName}-${name}`);
  // A pointer such as /shippingAddress/city is about the field `city`.
  const wrong = new Map(error?.errors.map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message]));
  const field = (
    name: string,
    label: Sentence,
    { hint, optional }: FieldOptions,
    control: (attributes: Html) => Html,
  ) => {
    const [id, message] = [idOf(name), wrong.get(name)];
    const describedBy = [message && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(' ');
    return html`<div class="field">
      <label for="${id}">${t(label)}${optional ? html` <small>${t('optional')}</small>` : nothing}</label>
      ${control(
        html`id="${id}" name="${name}" ${describedBy ? html`aria-describedby="${describedBy}"` : nothing}
        ${message ? html`aria-invalid="true"` : nothing}`,
      )}
      ${message ? html`<p class="wrong" id="${id}-wrong">${isEmpty(message) ? t('Please fill this in.') : message}</p>` : nothing}
      ${hint ? html`<p class="hint" id="${id}-hint">${t(hint)}</p>` : nothing}
    </div>`;
  };
  return {
    problem: error ? html`<p class="alert" role="alert">${problemText(error, t)}</p>` : nothing,
    field(name, label, options = {}) {
      const { type = 'text', autocomplete = 'off', optional = false, rows, maxlength = 500, numeric } = options;
      const value = type === 'password' ? '' : (values[name] ?? '');
      return field(name, label, options, (attributes) => {
        const common = html`${attributes} autocomplete="${autocomplete}" maxlength="${maxlength}"
        ${optional ? nothing : html`required`}`;
        return rows
          ? html`<textarea rows="${rows}" ${common}>${value}</textarea>`
          : html`<input type="${type}" value="${value}" ${numeric ? html`inputmode="numeric"` : nothing} ${common} />`;
      });
    },
    select: (name, label, options) =>
      field(
        name,
        label,
        {},
        (attributes) =>
          html`<select ${attributes}>
            ${options.map(
              ([value, text]) =>
                html`<option value="${value}" ${value === values[name] ? html`selected` : nothing}>${text}</option>`,
            )}
          </select>`,
      ),
    hidden: (...names) =>
      html`${names.map((name) =>
        values[name] === undefined ? nothing : html`<input type="hidden" name="${name}" value="${values[name]}" />`,
      )}`,
  };
}

const isEmpty = (message: string) => message.startsWith('Invalid input') || message.includes('received undefined');

interface Narrow {
  readonly text?: string | undefined;
  readonly fields: Html;
  readonly button?: Sentence;
  /** What stands below the button, such as links to other pages. */
  readonly below?: Html;
}

/** A form in one column, which is sent to this path. */
export const narrowForm = (c: Ctx, action: string, form: Form, parts: Narrow & { readonly heading?: Html }): Html => {
  const { heading = nothing, text, fields, button, below = nothing } = parts;
  return html`<form class="stack narrow" method="post" action="${action}">
    ${heading} ${text ? html`<p>${text}</p>` : nothing} ${form.problem} ${fields}
    ${button ? html`<button>${c.var.t(button)}</button>` : nothing} ${below}
  </form>`;
};

/** A page that is one such form. Its heading is that of the page unless another one is given. */
export const narrowPage = (
  c: Ctx,
  action: string,
  form: Form,
  { title, heading = title, ...parts }: Narrow & { readonly title: Sentence; readonly heading?: Sentence },
): Promise<Response> => {
  const { t } = c.var;
  const body = narrowForm(c, action, form, { heading: html`<h1>${t(heading)}</h1>`, ...parts });
  return page(c, { title: t(title), body });
};
