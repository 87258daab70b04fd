import { expect, it } from 'vitest';
import { splitSecrets } from '../src/split-secrets.ts';

const complete = `
INTERNAL_TOKEN_PRIVATE_KEY='{"d":"private"}'
INTERNAL_TOKEN_PUBLIC_KEY='{"x":"public"}'
API_SECRET=api
CODE_SECRET=code
CODE_SEALING_KEY=sealing
KEY_ENCRYPTION_SECRET=encryption
MONGODB_URL=mongodb://all:a@db-1,db-2/?replicaSet=rs0
AMQP_URL=amqps://all:a@mq
SMTP_URL=smtps://mail
`;

it('gives each part what it needs, and nothing else', () => {
  const { parts, missing } = splitSecrets(complete);
  expect(missing).toEqual([]);
  expect(parts['gateway']).toEqual({ AMQP_URL: 'amqps://all:a@mq', INTERNAL_TOKEN_PRIVATE_KEY: '{"d":"private"}' });
  expect(parts['health']).toEqual({
    AMQP_URL: 'amqps://all:a@mq',
    INTERNAL_TOKEN_PUBLIC_KEY: '{"x":"public"}',
    API_SECRET: 'api',
    MONGODB_URL: 'mongodb://all:a@db-1,db-2/health?replicaSet=rs0',
  });
  const withPrivateKey = Object.entries(parts).filter(([, variables]) => 'INTERNAL_TOKEN_PRIVATE_KEY' in variables);
  expect(withPrivateKey.map(([part]) => part)).toEqual(['gateway']);
});

it('takes what is for one part alone before what is for all', () => {
  const own = 'MONGODB_URL_BILLING=mongodb://billing:b@db/books\nAMQP_URL_BILLING=amqps://billing:b@mq\n';
  const { parts } = splitSecrets(complete + own);
  expect(parts['billing']).toMatchObject({
    MONGODB_URL: 'mongodb://billing:b@db/books',
    AMQP_URL: 'amqps://billing:b@mq',
  });
  expect(parts['account']).toMatchObject({ AMQP_URL: 'amqps://all:a@mq' });
});

it('names each variable that is missing once, and leaves out what may be', () => {
  const { parts, missing } = splitSecrets(
    complete.replace('API_SECRET=api', '').replace('AMQP_URL=', 'AMQP_URL_GATEWAY='),
  );
  expect(missing).toContain('API_SECRET or API_SECRET_HEALTH');
  expect(missing).toContain('AMQP_URL or AMQP_URL_TOPOLOGY');
  expect(missing).not.toContain('AMQP_URL or AMQP_URL_GATEWAY');
  expect(new Set(missing).size).toBe(missing.length);
  expect(parts['topology']).toEqual({});
});

it('takes no database that all would share', () => {
  const { missing } = splitSecrets(complete.replace('db-2/?', 'db-2/shop?'));
  expect(missing).toContain('MONGODB_URL, without a database, or MONGODB_URL_ACCOUNT');
});

it("puts each service's own user into a shared address, where its password is given", () => {
  const passwords = 'MONGODB_PASSWORD_BILLING=b1\nRABBITMQ_PASSWORD_BILLING=b2\n';
  const { parts } = splitSecrets(complete.replace('rs0', 'rs0&authSource=admin') + passwords);
  expect(parts['billing']).toMatchObject({
    MONGODB_URL: 'mongodb://billing:b1@db-1,db-2/billing?replicaSet=rs0',
    AMQP_URL: 'amqps://billing:b2@mq',
  });
  expect(parts['account']).toMatchObject({
    MONGODB_URL: 'mongodb://all:a@db-1,db-2/account?replicaSet=rs0&authSource=admin',
    AMQP_URL: 'amqps://all:a@mq',
  });
});
