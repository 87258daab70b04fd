import { type Reply, isSuccess } from '../client.ts';
import type { FinalState } from '../final-state.ts';
import type { Entry } from '../ledger.ts';
import type { TestAccount } from './operation.ts';

/**
 * Expects the last acknowledged value of a field, or a value that a try without a response asked for: that try may still be
 * carried out, even after a later call, and also where another try of the same call had a response. `value` is that of the
 * present call.
 */
export function expectOneOf(
  entry: Entry,
  account: TestAccount,
  field: string,
  value: string,
  reply: Reply,
  read: (finalState: FinalState) => unknown,
): void {
  const unclear = account.fields.get(`unclear ${field}`) ?? new Set();
  account.fields.set(`unclear ${field}`, unclear);
  if (reply.uncertainTries > 0) unclear.add(value);
  if (isSuccess(reply)) account.fields.set(field, new Set([value, ...unclear]));
  else if (reply.uncertainTries > 0) account.fields.get(field)?.add(value);
  const possible = account.fields.get(field);
  if (!possible) return;
  entry.replace(`${field} of ${account.email}`, {
    atLeast: 1,
    atMost: 1,
    count: async (finalState) => Number(possible.has(String(await read(finalState)))),
  });
}
