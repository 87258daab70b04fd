// `npm test`: every test, or those whose file names hold one of the arguments. What is installed on the way is done by
// bootstrap.mjs; MongoDB and RabbitMQ are found or started by packages/backing.
import { spawn } from 'node:child_process';

const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal));
process.once('disconnect', () => vitest.kill('SIGTERM'));
process.channel?.unref();
vitest.on('exit', (code) => process.exit(code ?? 1));
