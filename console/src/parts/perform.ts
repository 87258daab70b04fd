import { timeOfApi } from '../api/client.ts';
import { refreshAll } from '../api/reads.ts';
import { t } from '../language/index.ts';
import { withFreshProof } from '../shell/proof.tsx';
import { auditedSince } from './audited.ts';
import { say, sayAudited } from './toasts.tsx';

// The clock of the API is known to within a second.
const earlierMs = 1000;

/**
 * Does what somebody has asked for: proves first who they are where the API wants that, says afterwards that it is done and what
 * the audit log has about it, and reads again what the page shows. Says nothing where `run` returns null: then somebody would
 * rather keep what another has saved. Throws what `run` throws.
 */
export async function perform<Result>(what: string, run: () => Promise<Result>, done = t.done): Promise<Result> {
  let since = new Date();
  const result = await withFreshProof(() => {
    since = new Date(timeOfApi().getTime() - earlierMs);
    return run();
  });
  refreshAll();
  if (result === null) return result;
  const message = say(done, what);
  // Where the log can't be read just now, it is done all the same.
  void auditedSince(since).then(
    (entries) => entries.length > 0 && sayAudited(message, done, what, entries),
    () => undefined,
  );
  return result;
}
