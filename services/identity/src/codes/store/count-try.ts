import { integer, date, object, text } from '@storefront/mongo';
import type { Collection, Stored } from '@storefront/mongo';
import { codeRules } from '../domain/code.ts';
import type { StoredCode } from '../domain/code.ts';

/** The field of a flow that holds its code. */
export const codeField = object({ id: text(), hash: text(), expiresAt: date(), attempts: integer() });

/**
 * Counts a try of the flow's code in one atomic write, before the code is compared: many at once are not compared more
 * often than many in a row. Returns whether it may be compared: not where there is no such flow, where its code has
 * expired, or where it was tried too often.
 */
export async function countTry(flows: unknown, flowId: string, now: Date): Promise<boolean> {
  const { matchedCount } = await (flows as Collection<Stored & { code: StoredCode }>).updateOne(
    { _id: flowId, 'code.attempts': { $lt: codeRules.triesPerCode }, 'code.expiresAt': { $gt: now } },
    { $inc: { 'code.attempts': 1, version: 1 } },
  );
  return matchedCount === 1;
}
