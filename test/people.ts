import {
  createClient,
  type ApiError,
  type Client,
  type Outcome,
  type TokenPairWithUser,
  type TradeRegistration,
} from '@storefront/client';
import { createAdminClient, type AdminClient } from '@storefront/client/admin';
import { memorySession } from '@storefront/client/session';
import { codeIn, mailTo, type Answer } from './client.ts';

/** Somebody with an account, and what they hold. */
export interface Person {
  readonly email: string;
  readonly password: string;
  token: string;
  refreshToken: string;
}

// Few enough for nobody to be turned away, in a system with little room too.
const atOnce = 12;
export const password = 'a quiet lake in the morning';

/** Registers a consumer who proves the email. The client is then logged in. */
export async function signUp(
  shop: Client,
  mailbox: string,
  email: string,
  name = { firstName: 'Ada', lastName: 'Lovelace' },
): Promise<TokenPairWithUser> {
  const { registrationId } = await shop.auth.register({ body: { ...name, email, password } });
  const code = codeIn(await mailTo(mailbox, email, /code/i));
  const verified = await shop.auth.verifyEmail({ body: { registrationId, code } });
  if (!('user' in verified)) throw new Error(`${email} is not logged in: ${verified.status}`);
  return verified;
}

/** Has a business apply, which proves its email and is approved. The client is then logged in. Returns the id of the account. */
export async function signUpTrade(
  shop: Client,
  mailbox: string,
  staff: AdminClient,
  application: Omit<TradeRegistration, 'password'>,
): Promise<string> {
  const { email } = application;
  const { registrationId } = await shop.auth.registerTrade({ body: { ...application, password } });
  const code = codeIn(await mailTo(mailbox, email, /code/i));
  await shop.auth.verifyEmail({ body: { registrationId, code } });
  const { data } = await staff.tradeAccounts.listTradeAccounts({ query: { status: 'pending-approval' } });
  const id = data.find((account) => account.email === email)?.id;
  if (id === undefined) throw new Error(`${email} does not await an approval`);
  await staff.tradeAccounts.approveTradeAccount({ params: { id }, body: {} });
  await shop.auth.logIn({ body: { email, password } });
  return id;
}

/** A client of somebody of the staff, logged in. */
export async function staffAt(
  gateway: string | undefined,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AdminClient> {
  const staff = createAdminClient({ baseUrl: gateway ?? '' });
  await staff.auth.logIn({ body: { email, password } });
  return staff;
}

/** A client with this access token alone: it can't get another one. */
export function holding(gateway: string | undefined, accessToken: string): Client {
  return createClient({ baseUrl: gateway ?? '', session: memorySession({ accessToken, expiresAt: Infinity }) });
}

/** The code with which the API refused a call of `try`; undefined where it did not. */
export async function refusalOf(attempt: Promise<Outcome<unknown, ApiError<string>>>): Promise<string | undefined> {
  const outcome = await attempt;
  return outcome.ok ? undefined : outcome.error.code;
}

/** Consumers who have proved their email and are logged in. */
export function signUpMany(gateway: string, mailbox: string, count: number): Promise<Person[]> {
  const names = Array.from({ length: count }, (_, at) => `person-${at}`);
  return inTurns(names, async (name) => {
    const email = `${name}@example.com`;
    const shop = createClient({ baseUrl: gateway });
    const { accessToken, refreshToken } = await signUp(shop, mailbox, email);
    return { email, password, token: accessToken, refreshToken };
  });
}

/** New tokens in place of the ones they hold. */
export async function logIn(gateway: string, person: Person): Promise<Person> {
  const { email, password } = person;
  const { accessToken, refreshToken } = await createClient({ baseUrl: gateway }).auth.logIn({
    body: { email, password },
  });
  return Object.assign(person, { token: accessToken, refreshToken });
}

/** Does the work for each of them, a few at once; answers the results in order. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [at, item] of left) results[at] = await work(item, at);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** The body of an answer that has to be a good one. */
export function expectOk({ status, body }: Answer): any {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
