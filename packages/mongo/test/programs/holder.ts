// An instance with a lease that it reports each 50 ms, and with one idempotency key. It is halted and killed by tests.
import { pino } from 'pino';
import { openDatabase, openIdempotencyKeys, openLease } from '../../src/index.ts';
import type { HolderInput } from './run-holder.ts';

const { url, leaseMs, beatMs, key } = JSON.parse(process.argv[2] ?? '') as HolderInput;
const logger = pino({ level: 'silent' });
const database = await openDatabase(url, logger);
const lease = await openLease({ database, logger, leaseMs, beatMs });
const keys = await openIdempotencyKeys({ database, lease, logger });
await keys.claim(key, 'body', null);
const first = lease.holder;
setInterval(() => process.send?.({ first, holder: lease.holder, isHeld: lease.isHeld(first) }), 50);
process.once('disconnect', () => process.exit(0));
