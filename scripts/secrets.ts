// `npm run secrets`: generates all secrets of a deployment and prints them as an `.env` file.
import { randomBytes } from 'node:crypto';
import { newInternalKeyPair } from '@storefront/access-token';

const secret = () => randomBytes(32).toString('base64url');
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
# For RabbitMQ, and in its address.
RABBITMQ_PASSWORD=${secret()}
`);
