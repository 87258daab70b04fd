// `npm test`: runs all tests, or those whose paths contain one of the arguments. bootstrap.mjs has installed the
// dependencies; packages/backing finds or starts MongoDB and RabbitMQ.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The tests start some hundred processes. With Node's compile cache only the first one strips the types and compiles a
// file. It is not used elsewhere, because it takes memory.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
const env = { NODE_COMPILE_CACHE: compileCache, ...process.env };
const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal));
process.once('disconnect', () => vitest.kill('SIGTERM'));
process.channel?.unref();
vitest.on('exit', (code) => process.exit(code ?? 1));
