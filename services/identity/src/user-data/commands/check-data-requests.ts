import { deletedIfAny, type UserDataKeeper } from '@storefront/contracts';
import type { Logger } from 'pino';
import { repeatedExportRequest, repeatWhenDue, overdueMs, type CheckedRequest } from '../domain/repeat-request.ts';
import { erasureIdOf, erasureRequested, exportIdOf } from '../domain/data-request.ts';
import type { WaitingRequests } from '../store/data-requests.ts';
import { endErasure, type ErasureNeeds } from './finish-erasure.ts';
import type { AccountsArea } from '../../accounts/accounts.ts';

interface Needs extends ErasureNeeds {
  readonly registrations: Pick<AccountsArea['registrations'], 'idsOf'>;
  readonly waitingRequests: WaitingRequests;
  readonly logger: Logger;
}

/**
 * Checks the erasures and exports that are due, and publishes such a request again for services that have not answered.
 * A request that has waited for more than a day is logged as an error each hour. Returns the number of these requests.
 * Any number of instances may call this function at once: only one of them publishes each request.
 */
export async function checkDataRequests(needs: Needs): Promise<Record<'erasure' | 'export', number>> {
  const due = await needs.waitingRequests.due();
  if (!due) return { erasure: 0, export: 0 };
  const { now } = due;
  for (const { kind, userId } of due.requests) {
    try {
      const checked = await (kind === 'erasure' ? checkErasure(needs, userId, now) : checkExport(needs, userId, now));
      if (checked) report(needs.logger, { kind, userId, ...checked });
    } catch (error) {
      // A failed request is the first of the next check, too, and must not hold up the others.
      needs.logger.error({ err: error, kind, userId }, 'a request about the data of a user could not be checked');
    }
  }
  return needs.waitingRequests.countOverdue(new Date(now.getTime() - overdueMs));
}

async function checkErasure(needs: Needs, userId: string, now: Date): Promise<CheckedRequest | null> {
  const user = (await needs.users.load(userId))?.state;
  const registrations = user ? await needs.registrations.idsOf(user.email) : [];
  const { result } = await needs.erasures.change(erasureIdOf(userId), (current) =>
    repeatWhenDue(current, now, ({ byStaff = false, waitingFor }) => {
      if (!user) throw new Error(`${userId} is gone, but services have not erased their part`);
      return erasureRequested(user, registrations, { by: byStaff ? 'staff' : 'user', waitingFor });
    }),
  );
  // All services have answered, but identity has failed to erase its own part.
  if (result?.waitingFor.length === 0) await endErasure(needs, userId);
  return result;
}

async function checkExport({ users, exports }: Needs, userId: string, now: Date): Promise<CheckedRequest | null> {
  const user = (await users.load(userId))?.state;
  if (!user || user.status === 'erasing') {
    await exports.change(exportIdOf(userId), deletedIfAny);
    return null;
  }
  const { result } = await exports.change(exportIdOf(userId), (current) =>
    repeatWhenDue(current, now, (request) => repeatedExportRequest(request, user.email)),
  );
  return result;
}

function report(
  logger: Logger,
  { waitingMs, ...about }: CheckedRequest & { kind: string; userId: string; waitingFor: readonly UserDataKeeper[] },
): void {
  const line = { ...about, waitingHours: Math.floor(waitingMs / 3_600_000) };
  if (about.waitingFor.length === 0)
    logger.warn(line, 'a request about the data of a user was answered but had not ended; it has now');
  else if (waitingMs >= overdueMs) logger.error(line, 'a request about the data of a user is not done after a day');
  else logger.warn(line, 'a request about the data of a user was not answered; it is published again');
}
