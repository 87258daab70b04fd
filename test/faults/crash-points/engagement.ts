// The engagement service with a clock that may run ahead, so that the leases of one that was killed have ended already.
import { service } from '../../../services/engagement/src/service.ts';

const { env, aheadMs } = JSON.parse(process.argv[2] ?? '') as { env: Record<string, string>; aheadMs: number };
const running = await service.startWith(env, { now: () => new Date(Date.now() + aheadMs) });
process.send?.('started');
// Closing finishes the events that it is handling.
process.once('disconnect', () => void running.close().finally(() => process.exit(0)));
