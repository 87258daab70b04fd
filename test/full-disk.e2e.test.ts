import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@storefront/testing';
import { expect, it, onTestFailed, onTestFinished } from 'vitest';
import { clientOf } from './client.ts';
import { mountDisk, type Disk } from './faults/system/disk.ts';
import { patient } from './patient.ts';
import { start } from './start-process.ts';

// MongoDB alone allocates 300 MB at its start.
const megabytes = 700;
const root = await mkdtemp(join(tmpdir(), 'storefront-full-disk-'));
const mounted = await mountDisk(root, megabytes).catch((error: unknown) => String(error));
if (typeof mounted === 'string') {
  await rm(root, { recursive: true, force: true });
  process.stderr.write(`A full disk is not tested here, because no small filesystem can be mounted: ${mounted}\n`);
}

it.skipIf(typeof mounted === 'string')('everything is served again after the disk of DATA_DIR was full', async () => {
  const disk = mounted as Disk;
  const started = start(['--json', '--separate', '--empty'], {
    PORT: '0',
    MAILBOX_PORT: '0',
    PAYMENTS_PORT: '0',
    DATA_DIR: join(root, 'data'),
    RATE_LIMITS: 'off',
    // What is logged meets the full disk, too.
    LOG_LEVEL: 'info',
    ...patient,
  });
  onTestFinished(async () => {
    started.kill('SIGTERM');
    await started.exited;
    await disk.close(false);
    await rm(root, { recursive: true, force: true });
  });
  onTestFailed(() => void process.stderr.write(started.stderr()));
  const { gateways, mailbox } = await started.ready();
  const api = clientOf(gateways[0] ?? '');
  let people = 0;
  const register = () => {
    const email = `person-${(people += 1)}@example.com`;
    const body = { email, password: 'a quiet lake in the morning', firstName: 'Ada', lastName: 'Byron' };
    return api.call('POST', '/v1/auth/register', { body }).then(
      ({ status }) => ({ email, status }),
      () => ({ email, status: 0 }),
    );
  };
  expect((await register()).status).toBe(202);

  await disk.fill();
  // Long enough for the servers to notice: what they answer meanwhile is not the question here.
  const fullUntil = performance.now() + 15_000;
  while (performance.now() < fullUntil) await register();
  await disk.free();
  const freedAt = performance.now();

  const ready = () =>
    api.call('GET', '/v1/health/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(ready, 'every part to be ready again', 240_000);
  const { email, status } = await register();
  expect(status).toBe(202);
  const page = `${mailbox}/api/v1/search?query=to:"${email}"`;
  await eventually(
    async () => ((await (await fetch(page)).json()) as { messages_count: number }).messages_count > 0,
    'the mail of somebody who registered after that',
    60_000,
  );
  process.stderr.write(`served ${Math.round(performance.now() - freedAt)} ms after the space had returned\n`);
});
