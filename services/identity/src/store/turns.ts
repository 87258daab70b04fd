import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { collectionOf, isDuplicate } from '@storefront/service-kit';
import type { Database } from '@storefront/service-kit';
import { tooManyAttempts } from '../domain/errors.ts';
import type { Turns } from '../domain/ports.ts';
import { noTries, takeTurn, turnFailed, turnGivenBack, turnSucceeded, windowMs } from '../domain/throttle.ts';
import type { Tries } from '../domain/throttle.ts';

interface TriesDocument extends Tries {
  _id: string;
  version: number;
  expiresAt: Date;
}

const patienceMs = 5000;

/** Login tries, by a keyed hash of the email: a list of what strangers typed is nobody's to read. */
export function createTurns(database: Database, secret: string, now: () => Date): Turns {
  const documents = collectionOf<TriesDocument>(database, 'attempts');
  const keyOf = (email: string) => createHmac('sha256', secret).update(`login\0${email}`).digest('base64url');

  return {
    async take(email) {
      const turn = randomUUID();
      const deadline = Date.now() + patienceMs;
      for (let patience = 1; ; patience += 1) {
        const outcome = await change(email, (tries) => {
          const taken = takeTurn(tries, turn, now().getTime());
          return { tries: taken.kind === 'admitted' ? taken.tries : null, result: taken };
        });
        if (outcome.kind === 'admitted') return turn;
        if (outcome.kind === 'wait') throw tooManyAttempts(outcome.seconds);
        if (Date.now() > deadline) throw tooManyAttempts(1);
        // The longer the queue, the less often each of it asks.
        await wait(10 + Math.random() * Math.min(20 * patience, 200));
      }
    },
    failed: (email, turn) =>
      change(email, (before) => {
        const tries = turnFailed(before, turn, now().getTime());
        return { tries, result: tries.failures.length };
      }),
    succeeded: (email, turn) =>
      change(email, (tries) => ({ tries: turnSucceeded(tries, turn, now().getTime()), result: undefined })),
    giveBack: (email, turn) =>
      change(email, (tries) => ({ tries: turnGivenBack(tries, turn, now().getTime()), result: undefined })),
    async forget(email) {
      await documents.deleteOne({ _id: keyOf(email) });
    },
  };

  async function change<Result>(
    email: string,
    decide: (tries: Tries) => { tries: Tries | null; result: Result },
  ): Promise<Result> {
    const _id = keyOf(email);
    for (;;) {
      const before = await documents.findOne({ _id });
      const { tries, result } = decide(before ?? noTries);
      if (tries === null || (await save(_id, before, tries))) return result;
      await wait(Math.random() * 10);
    }
  }

  async function save(_id: string, before: TriesDocument | null, { failures, underWay }: Tries): Promise<boolean> {
    const fields = { failures, underWay, expiresAt: new Date(now().getTime() + windowMs) };
    if (before) {
      const { version } = before;
      const saved = await documents.updateOne({ _id, version }, { $set: { ...fields, version: version + 1 } });
      return saved.matchedCount === 1;
    }
    try {
      await documents.insertOne({ _id, version: 1, ...fields });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
}

export async function indexTurns(database: Database): Promise<void> {
  await collectionOf(database, 'attempts').createIndex({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });
}
