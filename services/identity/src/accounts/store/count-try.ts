import { living, withId, type Collection, type Repository, type Stored } from '@storefront/mongo';
import { codeRules, type StoredCode } from '../../domain/code.ts';

/** A registration, a recovery or an email change, to which a code belongs. */
interface Flow {
  readonly id: string;
  readonly code: StoredCode | null;
}

/**
 * Counts a try of the flow's code in one atomic write, before the code is compared, so that simultaneous tries are
 * limited like consecutive ones. Returns the flow as that write found it, so that the tried code is compared with the
 * code whose try was counted. Returns null where the code must not be compared: the flow does not exist, or its code
 * has expired or was tried too often.
 */
export async function countTry<State extends Flow>(
  flows: Pick<Repository<State>, 'collection'>,
  flowId: string,
  now: Date,
): Promise<State | null> {
  const collection = flows.collection as unknown as Collection<Stored & { code: StoredCode }>;
  const counted = await collection.findOneAndUpdate(
    { _id: flowId, 'code.attempts': { $lt: codeRules.triesPerCode }, 'code.expiresAt': { $gt: now }, ...living },
    { $inc: { 'code.attempts': 1, version: 1 } },
    { returnDocument: 'after', projection: { version: 0, outbox: 0 } },
  );
  return counted && (withId(counted) as unknown as State);
}
