import { codeIn, mailTo, type Answer, type Client } from './client.ts';

/** Somebody with an account, and what they hold. */
export interface Person {
  readonly email: string;
  readonly password: string;
  token: string;
  refreshToken: string;
}

// Few enough for nobody to be turned away, in a system with little room too.
const atOnce = 12;
const password = 'a quiet lake in the morning';

/** Consumers who have proved their email and are logged in. */
export function signUpMany(client: Client, mailbox: string, count: number): Promise<Person[]> {
  const names = Array.from({ length: count }, (_, at) => `person-${at}`);
  return inTurns(names, async (name) => {
    const email = `${name}@example.com`;
    const body = { email, password, firstName: 'Ada', lastName: 'Lovelace' };
    const { registrationId } = expectOk(await client.call('POST', '/v1/auth/register', { body }));
    const code = codeIn(await mailTo(mailbox, email, /code/i));
    const { accessToken, refreshToken } = expectOk(
      await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } }),
    );
    return { email, password, token: accessToken, refreshToken };
  });
}

/** New tokens in place of the ones they hold. */
export async function logIn(client: Client, person: Person): Promise<Person> {
  const { email, password } = person;
  const { accessToken, refreshToken } = expectOk(
    await client.call('POST', '/v1/auth/login', { body: { email, password } }),
  );
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
