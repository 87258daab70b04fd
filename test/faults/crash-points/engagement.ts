// The engagement service in a process of its own, to be killed while it sends a mail.
import { service } from '../../../services/engagement/src/service.ts';

const { env } = JSON.parse(process.argv[2] ?? '') as { env: Record<string, string> };
const running = await service.startWith(env);
process.send?.('started');
// Closing finishes the events that it is handling.
process.once('disconnect', () => void running.close().finally(() => process.exit(0)));
