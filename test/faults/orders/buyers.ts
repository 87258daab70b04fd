import { eventually } from '@storefront/testing/eventually';
import { createAdmin, type AdminClient } from '../admin.ts';
import { isSuccess, type Client, type Reply } from '../client.ts';
import type { MailReader } from '../mail-reader.ts';

/** A user who orders again and again. Nobody erases them. */
export interface OrderingUser {
  readonly id: string;
  readonly email: string;
  readonly isTrade: boolean;
  readonly client: AdminClient;
}

const password = 'a quiet harbour in the morning';
const madeWithinMs = 120_000;

interface Needs {
  readonly client: Client;
  readonly admin: AdminClient;
  readonly mails: Pick<MailReader, 'to'>;
}

/** Signs up so many consumers and so many trade accounts without a limit, and waits until billing knows these. */
export async function signUpBuyers(
  needs: Needs,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<OrderingUser[]> {
  const { client, mails } = needs;
  const named = Array.from({ length: count }, (_, at) => [
    { email: `shopper-${seed}-${at}@example.com`, isTrade: false },
    { email: `trader-${seed}-${at}@example.com`, isTrade: true },
  ]);

  async function signUp({ email, isTrade }: { email: string; isTrade: boolean }): Promise<OrderingUser> {
    const person = { email, password, firstName: 'Olga', lastName: 'Order' };
    const business = {
      phone: '+49 30 901820',
      businessName: `Shop of ${email}`,
      businessAddress: '1 Pier, Berlin',
      vatNumber: 'DE123456789',
    };
    const { registrationId } = bodyOf(
      await client.call('POST', `/v1/auth/${isTrade ? 'trade/' : ''}register`, {
        body: isTrade ? { ...person, ...business } : person,
      }),
    );
    const code = await eventually(
      () => {
        const [found] = mails.to(email).flatMap(({ subject }) => /^(\d{6}) is your code/.exec(subject)?.[1] ?? []);
        return found;
      },
      `the code of ${email}`,
      madeWithinMs,
    );
    await client.call('POST', '/v1/auth/verify', { body: { registrationId, code } });
    const id = isTrade ? await approve(needs, email) : '';
    const own = createAdmin(client, { email, password });
    const { id: userId } = bodyOf(await own.call('GET', '/v1/users/me'));
    return { id: id || userId, email, isTrade, client: own };
  }

  return Promise.all(named.flat().map(signUp));
}

async function approve({ admin }: Needs, email: string): Promise<string> {
  const { data } = bodyOf(await admin.call('GET', '/v1/trade-accounts?status=pending-approval&limit=100'));
  const { id } = (data as { id: string; email: string }[]).find((each) => each.email === email) ?? { id: '' };
  bodyOf(await admin.call('POST', `/v1/trade-accounts/${id}/approve`, { body: {} }));
  const body = { limit: null, termsDays: 30, hold: false };
  await eventually(
    async () => isSuccess(await admin.call('PUT', `/v1/trade-accounts/${id}/credit`, { body })) || undefined,
    `billing to know ${email}`,
    madeWithinMs,
  );
  return id;
}

/** The body of an answer that has to be a good one: no fault has begun yet. */
export function bodyOf({ status, code, body }: Reply): any {
  if (status < 200 || status >= 300) throw new Error(`answered ${status} ${code}: ${JSON.stringify(body)}`);
  return body;
}
