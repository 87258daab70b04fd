import type { Reply } from '../client.ts';
import type { Evidence } from '../evidence.ts';
import type { Entry } from '../ledger.ts';
import { isSuccess } from './operation.ts';
import type { Account } from './operation.ts';

/**
 * A field was set to `value`, or perhaps: in the end it has the last acknowledged value, or one whose answer was lost,
 * for that one may still be under way somewhere and come after a later one.
 */
export function expectOneOf(
  entry: Entry,
  account: Account,
  field: string,
  value: string,
  reply: Reply,
  read: (evidence: Evidence) => unknown,
): void {
  const unclear = account.fields.get(`unclear ${field}`) ?? new Set();
  account.fields.set(`unclear ${field}`, unclear);
  if (isSuccess(reply)) account.fields.set(field, new Set([value, ...unclear]));
  else if (reply.doubtful > 0) {
    unclear.add(value);
    account.fields.get(field)?.add(value);
  }
  const may = account.fields.get(field);
  if (!may) return;
  entry.replace(`${field} of ${account.email}`, {
    atLeast: 1,
    atMost: 1,
    count: async (evidence) => Number(may.has(String(await read(evidence)))),
  });
}
