import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, configTypes, loadConfig } from '../src/index.ts';

const schema = z.object({
  MONGODB_URL: z.string().optional(),
  AMQP_URL: z.string().optional(),
  RABBITMQ_MANAGEMENT_URL: z.string().optional(),
  SMTP_URL: z.string().optional(),
  S3_ENDPOINT: z.string().optional(),
  ALLOW_CLEARTEXT: configTypes.allowCleartext,
});
const load = (variables: Record<string, string>) => loadConfig(schema, variables);

const far = [
  ['MONGODB_URL', 'mongodb://shop:hunter2@db.example:27017/identity', 'mongodb'],
  ['MONGODB_URL', 'mongodb://shop:hunter2@localhost:27017,10.0.0.5:27018/identity?replicaSet=rs0', 'mongodb'],
  ['MONGODB_URL', 'mongodb://db.example/identity?tls=false', 'mongodb'],
  ['MONGODB_URL', 'mongodb+srv://db.example/identity?tls=false', 'mongodb'],
  ['AMQP_URL', 'amqp://shop:hunter2@rabbitmq.example', 'rabbitmq'],
  ['AMQP_URL', 'amqp://shop:hunter2@[2001:db8::1]:5672', 'rabbitmq'],
  ['RABBITMQ_MANAGEMENT_URL', 'http://rabbitmq.example:15672', 'rabbitmq'],
  ['SMTP_URL', 'smtp://shop:hunter2@mail.example:587', 'smtp'],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=false', 'smtp'],
  ['S3_ENDPOINT', 'http://s3.example', 's3'],
] as const;

describe('production', () => {
  it.each(far)('talks to no server elsewhere unencrypted: %s=%s', (name, url, server) => {
    const refusal = new RegExp(`${name}: would be unencrypted to .*${server} in ALLOW`);
    for (const NODE_ENV of ['', 'production']) expect(() => load({ NODE_ENV, [name]: url })).toThrow(refusal);
    expect(() => load({ [name]: url })).toThrow(/^(?!.*hunter2)/s);
  });

  it.each(far)('does where ALLOW_CLEARTEXT names it, and no other: %s=%s', (name, url, server) => {
    expect(load({ [name]: url, ALLOW_CLEARTEXT: ` ${server} ` })).toMatchObject({ [name]: url });
    const others = ['mongodb', 'rabbitmq', 'smtp', 's3'].filter((other) => other !== server).join(',');
    expect(() => load({ [name]: url, ALLOW_CLEARTEXT: others })).toThrow(ConfigError);
  });

  it.each([
    ['MONGODB_URL', 'mongodb://shop:a@mongodb:27017/identity?replicaSet=rs0'],
    ['MONGODB_URL', 'mongodb://mongodb-1,mongodb-2,mongodb-3/identity'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017,[::1]:27018,localhost/identity'],
    ['MONGODB_URL', 'mongodb://%2Ftmp%2Fmongodb-27017.sock/identity'],
    ['MONGODB_URL', 'mongodb://shop:a@db.example/identity?replicaSet=rs0&tls=true'],
    ['MONGODB_URL', 'mongodb+srv://shop:a@db.example/identity'],
    ['AMQP_URL', 'amqp://shop:a@rabbitmq:5672'],
    ['AMQP_URL', 'amqps://shop:a@rabbitmq.example'],
    ['RABBITMQ_MANAGEMENT_URL', 'http://rabbitmq:15672'],
    ['RABBITMQ_MANAGEMENT_URL', 'https://rabbitmq.example:15671'],
    ['SMTP_URL', 'smtp://mailpit:1025'],
    ['S3_ENDPOINT', 'http://minio:9000'],
    ['S3_ENDPOINT', 'https://s3.example'],
    ['SMTP_URL', 'smtps://shop:a@mail.example'],
    ['SMTP_URL', 'smtp://shop:a@mail.example:587?requireTLS=true'],
  ])('takes %s=%s', (name, url) => {
    expect(load({ NODE_ENV: 'production', [name]: url })).toMatchObject({ [name]: url });
  });
});

it('other environments talk to servers as configured', () => {
  const settings = Object.fromEntries(far.map(([name, url]) => [name, url]));
  for (const NODE_ENV of ['development', 'test']) expect(load({ ...settings, NODE_ENV })).toEqual(settings);
});

it('ALLOW_CLEARTEXT names servers that there are', () => {
  expect(() => load({ ALLOW_CLEARTEXT: 'mongodb, mail' })).toThrow(/ALLOW_CLEARTEXT/);
});
