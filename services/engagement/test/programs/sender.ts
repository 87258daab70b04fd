// A sender in a process of its own, to be halted and killed. It sends what is due until it is disconnected.
import { pino } from 'pino';
import { startSender, type SenderInput } from '../sender.ts';

const sender = await startSender(JSON.parse(process.argv[2] ?? '') as SenderInput, pino({ level: 'silent' }));
sender.start();
process.send?.(sender.lease.holder);
process.once('disconnect', () => void sender.close().finally(() => process.exit(0)));
