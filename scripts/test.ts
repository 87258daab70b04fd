// `npm test`: every test, or those whose file names hold one of the arguments. What is installed on the way is done by
// bootstrap.mjs; MongoDB and RabbitMQ are found or started by packages/backing.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The tests start some hundred processes: what one of them compiled, TypeScript stripped of its types included, the next
// ones have not to compile again. (Elsewhere the memory that this takes counts for more.)
const compiled = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
const env = { NODE_COMPILE_CACHE: compiled, ...process.env };
const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal));
process.once('disconnect', () => vitest.kill('SIGTERM'));
process.channel?.unref();
vitest.on('exit', (code) => process.exit(code ?? 1));
