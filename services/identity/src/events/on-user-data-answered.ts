import { userDataEvents, userDataKeepers } from '@storefront/contracts';
import type { Handler } from '@storefront/messaging';
import { finishErasure } from '../domain/erase.ts';
import { collectPart } from '../domain/export.ts';
import type { Identity } from '../domain/ports.ts';

/** A service has erased what it kept about a user, or hands it in. */
export function onUserDataAnswered(identity: Identity): Handler {
  return async (event) => {
    const keeper = userDataKeepers.find((name) => name === event.source);
    if (!keeper) return { outcome: 'reject', reason: `nobody waits for ${event.source}` };
    const { erased, exported } = userDataEvents[keeper];
    if (event.type === erased.type) {
      await finishErasure(identity, event.subject, keeper);
      return 'done';
    }
    const part = exported.data.safeParse(event.data);
    if (!part.success) return { outcome: 'reject', reason: `the data is not as ${exported.type} has it` };
    await collectPart(identity, event.subject, { ...part.data, keeper });
    return 'done';
  };
}
