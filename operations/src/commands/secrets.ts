// Generates all secrets of a deployment and prints them as an `.env` file.
import { randomBytes } from 'node:crypto';
import { newInternalKeyPair } from '@storefront/access-token';
import { readCommandLine } from '@storefront/process';
import type { Command } from '../command.ts';
import { passwordVariable, usersOf } from '../config.ts';

const usage = 'Generates all secrets of a deployment and prints them as an .env file.\n';
const secret = () => randomBytes(32).toString('base64url');

export const secrets: Command = {
  summary: 'generates all secrets of a deployment and prints them as an .env file',
  async run(args) {
    readCommandLine(usage, {}, args);
    const { privateJwk, publicJwk } = await newInternalKeyPair();

    process.stdout.write(`# For the gateway alone.
INTERNAL_TOKEN_PRIVATE_KEY='${JSON.stringify(privateJwk)}'
# For every service.
INTERNAL_TOKEN_PUBLIC_KEY='${JSON.stringify(publicJwk)}'
API_SECRET=${secret()}
# For identity.
CODE_SECRET=${secret()}
KEY_ENCRYPTION_SECRET=${secret()}
# For identity and engagement.
CODE_SEALING_KEY=${secret()}
# For MongoDB and RabbitMQ themselves, and for the commands of operators.
MONGODB_KEY=${randomBytes(32).toString('hex')}
MONGODB_PASSWORD=${secret()}
RABBITMQ_PASSWORD=${secret()}
# Of the nodes of RabbitMQ among themselves, where docker-compose.cluster.yml is used.
RABBITMQ_COOKIE=${randomBytes(32).toString('hex')}
# For the users of the services, each for one alone.
${servicePasswords()}
# Which parts of docker-compose.yml run, as docs/operating.md says, and the mail server: for production others, and no NODE_ENV.
COMPOSE_PROFILES=development
NODE_ENV=development
SMTP_URL=smtp://mailpit:1025
`);
  },
};

function servicePasswords(): string {
  const servers = Object.keys(usersOf) as (keyof typeof usersOf)[];
  const variables = servers.flatMap((server) => usersOf[server].map((name) => passwordVariable(server, name)));
  return variables.map((variable) => `${variable}=${secret()}`).join('\n');
}
