// The engagement service as it is, but for its clock, which may run ahead: what a dead one had in hand is free at once.
import { configSchema, start } from '@storefront/engagement';
import { loadConfig } from '@storefront/service-kit';

const { env, aheadMs } = JSON.parse(process.argv[2] ?? '') as { env: Record<string, string>; aheadMs: number };
const running = await start(loadConfig(configSchema, env), { now: () => new Date(Date.now() + aheadMs) });
process.send?.('started');
// Finishes what it has in hand: an event that it was given is answered.
process.once('disconnect', () => void running.close().finally(() => process.exit(0)));
