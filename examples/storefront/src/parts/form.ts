import type { Context } from 'hono';
import type { ApiError } from '@storefront/client';
import { html, type App, type Ctx, type Html } from '../context.ts';
import type { Sentence } from '../words/translate.ts';
import { fields, type Field, type FieldName } from './fields.ts';
import { page, type Notice } from './layout.ts';
import { fieldText, problemOfForm, problemText } from './problems.ts';

export type Values = Readonly<Record<string, string>>;

/** The fields of a form that was sent, without those that were left empty. */
export async function sent(c: Context): Promise<Values> {
  const body = await c.req.parseBody();
  const texts = Object.entries(body).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.trim()]] : []));
  return Object.fromEntries(texts.filter(([, text]) => text !== '')) as Values;
}

/**
 * A page with forms that are sent to it. `show` draws it with what was typed and what is wrong about it. `change` does what a
 * form asks for, and answers, or names what the page then says; where it is refused, the page says why.
 */
export function formPage(
  app: App,
  path: string,
  show: (c: Ctx, form: Form) => Response | Promise<Response>,
  change: (c: Ctx, values: Values) => Promise<Response | Notice>,
): void {
  app.get(path, (c) => {
    // Where the form leads when all is done.
    const next = c.req.query('next');
    return show(c, formOf(c, next === undefined ? {} : { next }));
  });
  app.post(path, async (c) => {
    const values = await sent(c);
    // What was typed here before the login was over comes back from there, to be shown and not done.
    const isBack = values.typed !== undefined && values.next?.split('?')[0] === c.req.path;
    if (isBack) return show(c, formOf(c, Object.fromEntries(new URLSearchParams(values.typed))));
    if (values.begin) return show(c, formOf(c, values));
    try {
      const changed = await change(c, values);
      return typeof changed === 'string' ? c.redirect(`${c.req.path}?done=${changed}`, 303) : changed;
    } catch (error) {
      return show(c, formOf(c, values, problemOfForm(error)));
    }
  });
}

/** What was typed, to be sent once more: without secrets, which the form asks for again. */
export const withoutSecrets = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !/password|code|passkey|secret|token/i.test(name)));

/** A form with what was typed into it and with what is wrong about it. */
export interface Form {
  readonly values: Values;
  readonly error: ApiError<string> | undefined;
  /** What is wrong with the form as a whole. */
  readonly problem: Html;
  /** A field of the list in `fields.ts`, of which this form may say something else. */
  field(name: FieldName, own?: Partial<Field>): Html;
  /** Fields one below the other, and those of a pair beside each other. */
  fields(...names: readonly (FieldName | readonly FieldName[])[]): Html;
  hidden(...names: readonly string[]): Html;
  /** The same form with these values where nothing was typed. */
  startingWith(values: Values): Form;
}

/** Makes a form. With an error, the page that shows it is answered with status 422. */
export function formOf(c: Ctx, values: Values = {}, error?: ApiError<string>): Form {
  const { t, language } = c.var;
  if (error) c.status(422);
  // A pointer such as /shippingAddress/city is about the field `city`.
  const wrong = new Map(error?.errors.map((each) => [each.pointer.split('/').at(-1) ?? '', each]));

  function field(name: FieldName, own?: Partial<Field>): Html {
    const { label, type = 'text', autocomplete = 'off', ...kind }: Field = { ...fields[name], ...own };
    const { optional, hint, rows, maxlength = 500, numeric, isOnce, options } = kind;
    const fault = wrong.get(name);
    const message = fault && fieldText(fault, values[name], t, language);
    const describedBy = [message && `${name}-wrong`, hint && `${name}-hint`].filter(Boolean).join(' ');
    const value = isOnce || type === 'password' ? '' : (values[name] ?? '');
    const common = html`id="${name}" name="${name}" autocomplete="${autocomplete}" ${!optional && 'required'}
    ${describedBy && html`aria-describedby="${describedBy}"`} ${message && html`aria-invalid="true"`}`;
    const control = options
      ? html`<select ${common}>
          ${options(language).map(([key, text]) => html`<option value="${key}" ${key === value && 'selected'}>${text}</option>`)}
        </select>`
      : rows
        ? html`<textarea rows="${rows}" maxlength="${maxlength}" ${common}>${value}</textarea>`
        : html`<input
            type="${type}"
            value="${value}"
            maxlength="${maxlength}"
            ${numeric && html`inputmode="numeric"`}
            ${common}
          />`;
    return html`<div class="field">
      <label for="${name}">${t(label)}${optional && html` <small>${t('optional')}</small>`}</label>
      ${control} ${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
      ${hint && html`<p class="hint" id="${name}-hint">${t(hint)}</p>`}
    </div>`;
  }

  return {
    values,
    error,
    problem: error && html`<p class="alert" role="alert">${problemText(error, t)}</p>`,
    field,
    fields: (...names) =>
      html`${names.map((each) =>
        typeof each === 'string' ? field(each) : html`<div class="pair">${each.map((name) => field(name))}</div>`,
      )}`,
    hidden: (...names) =>
      html`${names.map(
        (name) => values[name] !== undefined && html`<input type="hidden" name="${name}" value="${values[name]}" />`,
      )}`,
    startingWith: (start) => formOf(c, { ...start, ...values }, error),
  };
}

/** What stands in a form, from top to bottom. */
export interface Narrow {
  readonly heading?: Html;
  readonly text?: string | undefined;
  readonly fields: Html;
  readonly button?: Sentence;
  /** What stands below the button, such as links to other pages. */
  readonly below?: Html;
}

/** A form in one column, which is sent to this path. */
export const narrowForm = (c: Ctx, action: string, form: Form, parts: Narrow): Html => {
  const { heading, text, fields, button, below } = parts;
  return html`<form class="stack narrow" method="post" action="${action}">
    ${heading} ${text && html`<p>${text}</p>`} ${form.problem} ${fields}
    ${button && html`<button>${c.var.t(button)}</button>`} ${below}
  </form>`;
};

/** A page that is one such form. */
export const narrowPage = (
  c: Ctx,
  action: string,
  form: Form,
  { title, ...parts }: Narrow & { readonly title: Sentence },
): Promise<Response> => {
  const name = c.var.t(title);
  return page(c, name, narrowForm(c, action, form, { heading: html`<h1>${name}</h1>`, ...parts }));
};
