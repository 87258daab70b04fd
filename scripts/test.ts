// `npm test`: runs all tests, or those whose paths contain one of the arguments. bootstrap.mjs has installed the
// dependencies; packages/backing finds or starts MongoDB and RabbitMQ.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The tests start some hundred processes. With Node's compile cache only the first one strips the types and compiles a
// file. It is not used elsewhere, because it takes memory.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
const inMemory = makeFolderInMemory();
const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ...(inMemory && { TMPDIR: inMemory }) };
const program = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const vitest = spawn(process.execPath, [...process.execArgv, program, 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal));
process.once('disconnect', () => vitest.kill('SIGTERM'));
process.channel?.unref();
vitest.on('exit', (code) => {
  if (inMemory) rmSync(inMemory, { recursive: true, force: true });
  process.exit(code ?? 1);
});

/**
 * Makes a folder for temporary files in memory, and removes those of runs that were killed. The servers of the tests
 * wait for the disk after every write, and make and drop thousands of files. Undefined where there is not enough memory.
 */
function makeFolderInMemory(): string | undefined {
  const [memory, prefix, neededBytes] = ['/dev/shm', 'storefront-tests-', 6 * 2 ** 30];
  try {
    const isRunning = (name: string) => readdirSync('/proc').includes(name.slice(prefix.length));
    for (const name of readdirSync(memory))
      if (name.startsWith(prefix) && !isRunning(name)) rmSync(join(memory, name), { recursive: true, force: true });
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes || freemem() < neededBytes * 1.5) return undefined;
    const folder = join(memory, `${prefix}${process.pid}`);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch {
    // Not Linux, or a container without it.
    return undefined;
  }
}
