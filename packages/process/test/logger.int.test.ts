import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';

// Every write to this device fails as on a full disk.
const fullDevice = '/dev/full';
const program = `
  import { createLogger } from '@storefront/process';
  import { setTimeout as wait } from 'node:timers/promises';
  const logger = createLogger('full', 'info');
  for (let line = 0; line < 20; line += 1) {
    logger.info({ line }, 'a line that can not be written');
    await wait(5);
  }
  process.stdout.write('still here');
`;

it.runIf(existsSync(fullDevice))('a log that can not be written does not end the process', async () => {
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', openSync(fullDevice, 'w')],
  });
  // At its end the process would wait until the last lines are written.
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = new Promise<string>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const ended = once(child, 'exit').then(([code]) => `exit code ${code}`);
  expect(await Promise.race([output, ended])).toBe('still here');
});
