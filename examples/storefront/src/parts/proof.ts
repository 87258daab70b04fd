import type { MfaState, PasskeyAnswer } from '@storefront/client';
import { html, type Ctx, type Html } from '../context.ts';
import type { Sentence } from '../words/translate.ts';
import type { Field } from './fields.ts';
import type { Form, Values } from './form.ts';

/** What guards the account, and what its passkeys are asked, where it has some. */
export interface Guard extends MfaState {
  readonly question: object | undefined;
}

export async function readGuard(c: Ctx): Promise<Guard> {
  const { secondFactor } = c.var.api;
  const state = await secondFactor.getMfa();
  return { ...state, question: state.passkeys > 0 ? await secondFactor.getReauthenticationOptions() : undefined };
}

/** Asks once more who it is: by the second factor where there is one. Some things need the password in any case. */
export const proofFields = (c: Ctx, form: Form, guard: Guard, needsPassword = false): Html => html`
  ${(needsPassword || !guard.enabled) && form.field('currentPassword')}
  ${guard.enabled && form.field('code', factorCode)}
  ${guard.enabled && guard.question && passkeyButton(c, 'prove', guard.question)}
`;

export const factorCode = {
  maxlength: 20,
  numeric: false,
  hint: 'The 6 digits of your authenticator app, or a recovery code.',
} as const satisfies Partial<Field>;

/** Proves it to the API. For 5 minutes the session may then change what guards it. */
export async function prove(c: Ctx, values: Values): Promise<void> {
  const byFactor = factorOf(values);
  await c.var.api.secondFactor.reauthenticate({ body: byFactor ?? { password: values.currentPassword ?? '' } });
}

/** The second factor that a form was given; undefined where it has none. */
export function factorOf({ passkey, code }: Values) {
  if (passkey) return { passkey: readPasskey(passkey) as PasskeyAnswer };
  // Recovery codes are longer than the six digits of an authenticator app.
  return code === undefined ? undefined : /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
}

/** What a passkey has answered: the script of the page has put it into the form. The API refuses what is none. */
export function readPasskey(answer = ''): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return {};
  }
}

const passkeyLabels = {
  prove: 'Use a passkey instead',
  'log-in': 'Use a passkey',
  create: 'Make the passkey',
} as const satisfies Record<string, Sentence>;

/**
 * Lets the browser ask for a passkey, by the script of the page, without which the button is hidden. Its answer proves what
 * the form is about to do; `log-in` and `create` send the form at once.
 */
export const passkeyButton = (c: Ctx, use: keyof typeof passkeyLabels, options: object): Html =>
  html`<input type="hidden" name="passkey" />
    <button type="button" class="quiet" data-passkey="${use}" data-options="${JSON.stringify(options)}" hidden>
      ${c.var.t(passkeyLabels[use])}
    </button>
    <p
      class="hint"
      role="status"
      data-done="${c.var.t('Your passkey has proved that it is you.')}"
      data-failed="${c.var.t('That did not work with a passkey. Please try again, or take another way.')}"
    ></p>`;
