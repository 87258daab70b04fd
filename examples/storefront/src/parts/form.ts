import type { Context } from 'hono';
import type { ApiError } from '@storefront/client';
import type { Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import type { Sentence, Translate } from '../words/translate.ts';
import { problemText } from './problems.ts';

export type Values = Readonly<Record<string, string>>;

/** The fields of a form that was sent, without those that were left empty. */
export async function sent(c: Context): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  const texts = Object.entries(body).filter((field): field is [string, string] => typeof field[1] === 'string');
  return Object.fromEntries(
    texts.map(([name, text]) => [name, text.trim()] as const).filter(([, text]) => text !== ''),
  );
}

/** Those of the values that have one of these names. */
export function pick<Name extends string>(values: Values, ...names: readonly Name[]): { [Each in Name]?: string } {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]])) as {
    [Each in Name]?: string;
  };
}

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
  const around = (name: string, label: Sentence, control: Html, { hint, optional = false }: FieldOptions) => {
    const message = wrong.get(name);
    return html`<div class="field">
      <label for="${idOf(name)}">${t(label)}${optional ? html` <small>${t('optional')}</small>` : nothing}</label>
      ${control} ${message ? html`<p class="wrong" id="${idOf(name)}-wrong">${wrongText(message, t)}</p>` : nothing}
      ${hint ? html`<p class="hint" id="${idOf(name)}-hint">${t(hint)}</p>` : nothing}
    </div>`;
  };
  const described = (name: string, hint: Sentence | undefined) => {
    const ids = [wrong.has(name) && 'wrong', hint && 'hint']
      .flatMap((part) => (part ? `${idOf(name)}-${part}` : []))
      .join(' ');
    return html`${ids ? html`aria-describedby="${ids}"` : nothing}
    ${wrong.has(name) ? html`aria-invalid="true"` : nothing}`;
  };
  return {
    problem: error ? html`<p class="alert" role="alert">${problemText(error, t)}</p>` : nothing,
    field(name, label, options = {}) {
      const { type = 'text', autocomplete = 'off', optional = false, rows, hint, maxlength = 500, numeric } = options;
      const common = html`id="${idOf(name)}" name="${name}" autocomplete="${autocomplete}" maxlength="${maxlength}"
      ${optional ? nothing : html`required`} ${described(name, hint)}`;
      const value = type === 'password' ? '' : (values[name] ?? '');
      const control = rows
        ? html`<textarea rows="${rows}" ${common}>${value}</textarea>`
        : html`<input type="${type}" value="${value}" ${numeric ? html`inputmode="numeric"` : nothing} ${common} />`;
      return around(name, label, control, options);
    },
    select(name, label, options) {
      const control = html`<select id="${idOf(name)}" name="${name}" ${described(name, undefined)}>
        ${options.map(
          ([value, text]) =>
            html`<option value="${value}" ${value === values[name] ? html`selected` : nothing}>${text}</option>`,
        )}
      </select>`;
      return around(name, label, control, {});
    },
    hidden: (...names) =>
      html`${names.map((name) =>
        values[name] === undefined ? nothing : html`<input type="hidden" name="${name}" value="${values[name]}" />`,
      )}`,
  };
}

function wrongText(message: string, t: Translate): string {
  return message.startsWith('Invalid input') || message.includes('received undefined')
    ? t('Please fill this in.')
    : message;
}
