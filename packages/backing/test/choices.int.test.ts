import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BackingError, startBacking } from '@storefront/backing';
import { temporaryFolder } from './folder.ts';

const given = {
  MONGODB_URL: 'mongodb://ann:secret@db.example.com:27018/?replicaSet=rs1',
  AMQP_URL: 'amqp://ann:secret@broker.example.com',
  SMTP_URL: 'smtp://mail.example.com:2525',
};

async function choose(options: Partial<Parameters<typeof startBacking>[0]>) {
  const said: string[] = [];
  const backing = await startBacking({
    env: given,
    dataDir: await temporaryFolder(),
    say: (line) => said.push(line),
    ...options,
  });
  onTestFinished(() => backing.close());
  return { backing, said };
}

test('addresses that are set are used, without their passwords in any line', async () => {
  const { backing, said } = await choose({});
  expect(backing).toMatchObject({
    mongodb: { url: given.MONGODB_URL, described: 'db.example.com:27018 (from MONGODB_URL)' },
    broker: { url: given.AMQP_URL, described: 'rabbitmq at broker.example.com (from AMQP_URL)' },
    mail: { url: given.SMTP_URL, described: 'mail.example.com:2525 (from SMTP_URL)' },
  });
  expect(said.join('\n')).not.toContain('secret');
});

test('an address of another kind is told in a sentence', async () => {
  await expect(choose({ env: { ...given, MONGODB_URL: 'postgres://db' } })).rejects.toThrow(
    new BackingError('MONGODB_URL must be an address that begins with mongodb:// or mongodb+srv://.'),
  );
});

test('the in-process bus can be insisted on', async () => {
  const { backing } = await choose({ bus: 'in-process' });
  expect(backing.broker).toEqual({ described: 'in-process' });
});

test('where RabbitMQ is missing the in-process bus takes its place with a warning, unless RabbitMQ is insisted on', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { MONGODB_URL: given.MONGODB_URL, SMTP_URL: given.SMTP_URL };
  const { backing, said } = await choose({ env });
  expect(backing.broker).toEqual({ described: 'in-process' });
  expect(said).toContainEqual(expect.stringMatching(/^WARNING: no RabbitMQ.*install RabbitMQ/));
  await expect(choose({ env, bus: 'rabbitmq' })).rejects.toThrow(
    /^RabbitMQ was asked for and there is none here: install/,
  );
});

test('when one service fails its sentence is thrown and nothing stays behind', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  const env = { AMQP_URL: given.AMQP_URL };
  await expect(choose({ env, dataDir: join(folder, 'file') })).rejects.toThrow(/MongoDB can't keep its data in/);
});
