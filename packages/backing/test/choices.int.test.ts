import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BackingError, findMongod, startBacking } from '@storefront/backing';
import { temporaryFolder } from './folder.ts';

const addresses = {
  MONGODB_URL: 'mongodb://ann:secret@db.example.com:27018/?replicaSet=rs1',
  AMQP_URL: 'amqp://ann:secret@broker.example.com',
  SMTP_URL: 'smtp://mail.example.com:2525',
};

async function choose(options: Partial<Parameters<typeof startBacking>[0]>) {
  const lines: string[] = [];
  const backing = await startBacking({
    env: addresses,
    dataDir: await temporaryFolder(),
    say: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => backing.close());
  return { backing, lines };
}

test('addresses that are set are used, without their passwords in any line', async () => {
  const { backing, lines } = await choose({});
  expect(backing).toMatchObject({
    mongodb: { url: addresses.MONGODB_URL, described: 'db.example.com:27018 (from MONGODB_URL)' },
    broker: { url: addresses.AMQP_URL, described: 'rabbitmq at broker.example.com (from AMQP_URL)' },
    mail: { url: addresses.SMTP_URL, described: 'mail.example.com:2525 (from SMTP_URL)' },
  });
  expect(lines.join('\n')).not.toContain('secret');
});

test('an address with another protocol is refused with a clear message', async () => {
  await expect(choose({ env: { ...addresses, MONGODB_URL: 'postgres://db' } })).rejects.toThrow(
    new BackingError('MONGODB_URL must be an address that begins with mongodb:// or mongodb+srv://.'),
  );
});

test('the in-process bus can be required', async () => {
  const { backing } = await choose({ bus: 'in-process' });
  expect(backing.broker).toEqual({ described: 'in-process' });
});

test('without RabbitMQ the in-process bus is used with a warning, unless RabbitMQ is required', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { MONGODB_URL: addresses.MONGODB_URL, SMTP_URL: addresses.SMTP_URL };
  const { backing, lines } = await choose({ env });
  expect(backing.broker).toEqual({ described: 'in-process' });
  expect(lines).toContainEqual(expect.stringMatching(/^WARNING: no RabbitMQ.*install RabbitMQ/));
  await expect(choose({ env, bus: 'rabbitmq' })).rejects.toThrow(
    /^RabbitMQ was requested and there is none here: install/,
  );
});

test('when one server fails, its error is thrown and the others are stopped', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  // A mongod on the PATH comes before one in Docker, which needs no folder.
  vi.stubEnv('PATH', [dirname(await findMongod(() => undefined)), process.env['PATH']].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { AMQP_URL: addresses.AMQP_URL };
  await expect(choose({ env, dataDir: join(folder, 'file') })).rejects.toThrow(/MongoDB can't keep its data in/);
});
