import { setTimeout as wait } from 'node:timers/promises';
import type { Lease } from '@storefront/mongo';
import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { holdAnnouncement } from '../domain/announcement.ts';
import type { Announcements } from '../store/announcements.ts';
import { continueAnnouncement, type ContinuationNeeds } from './announcements.ts';

/**
 * Works on the announcements that are not over. Every instance of the service runs an announcer, but only one instance
 * at a time works on an announcement.
 */
export interface Announcer {
  /** Looks for work now, instead of at the next search within 5 s. */
  nudge(): void;
  /**
   * Waits at most 5 s for the current piece of work. Another instance, or the next start, continues the announcement.
   */
  close(): Promise<void>;
}

interface AnnouncerOptions extends ContinuationNeeds {
  readonly announcements: Announcements;
  readonly lease: Pick<Lease, 'holder' | 'isHeld' | 'hasEnded'>;
  readonly logger: Logger;
}

// New work of this instance is nudged. A search finds the work of an instance that ended.
const [searchEveryMs, idleTurns] = [1000, 5];
const finishWithinMs = 5000;

export function startAnnouncer(options: AnnouncerOptions): Announcer {
  const { announcements, lease, logger } = options;
  let closed = false;
  const failure = 'searching for announcements failed; it is tried again';
  const searches = repeatEvery(searchEveryMs, workOnAll, { logger, failure, idleTurns });

  async function workOnAll(): Promise<'idle' | void> {
    const unfinished = await announcements.unfinished();
    if (unfinished.length === 0) return 'idle';
    for (const { state } of unfinished) {
      if (closed || !lease.isHeld(lease.holder)) return;
      await workOn(state.id, state.holder).catch((error: unknown) =>
        logger.warn({ err: error, announcement: state.id }, 'an announcement failed midway; it goes on in a moment'),
      );
    }
  }

  async function workOn(id: string, heldBy: string | null): Promise<void> {
    const { holder } = lease;
    const endedHolder = heldBy !== null && heldBy !== holder && (await lease.hasEnded(heldBy)) ? heldBy : null;
    const { result } = await announcements.change(id, (current) => holdAnnouncement(current, holder, endedHolder));
    if (result === null) return;
    while (!closed && lease.isHeld(holder)) {
      const progress = await continueAnnouncement(options, id);
      if (progress === 'over') logger.info({ announcement: id }, 'announcement finished');
      if (progress !== 'more') return;
    }
  }

  return {
    nudge: () => searches.now(),
    async close() {
      closed = true;
      await Promise.race([searches.stop(), wait(finishWithinMs, undefined, { ref: false })]);
    },
  };
}
