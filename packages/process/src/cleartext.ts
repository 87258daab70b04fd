import { isIP } from 'node:net';
import { z } from 'zod';

const servers = ['mongodb', 'rabbitmq', 'smtp', 's3'] as const;
type ServerName = (typeof servers)[number];

/** The variables with the address of a server to which passwords or personal data are sent. */
const addresses = {
  MONGODB_URL: { server: 'mongodb', isEncrypted: isMongodbEncrypted, remedy: 'add tls=true' },
  AMQP_URL: { server: 'rabbitmq', isEncrypted: (url) => url.startsWith('amqps:'), remedy: 'use amqps://' },
  RABBITMQ_MANAGEMENT_URL: {
    server: 'rabbitmq',
    isEncrypted: (url) => url.startsWith('https:'),
    remedy: 'use https://',
  },
  S3_ENDPOINT: { server: 's3', isEncrypted: (url) => url.startsWith('https:'), remedy: 'use https://' },
  SMTP_URL: { server: 'smtp', isEncrypted: isSmtpEncrypted, remedy: 'use smtps://, or add ?requireTLS=true' },
} as const satisfies Record<string, { server: ServerName; isEncrypted: (url: string) => boolean; remedy: string }>;

/** The servers to which production may connect without encryption, even on other machines. */
export const allowCleartext = z
  .string()
  .transform((text) => listOf(text))
  .pipe(z.array(z.enum(servers)))
  .optional()
  .describe(
    'Servers that production may talk to unencrypted though they are on another machine, separated by commas: `mongodb`, `rabbitmq`, ' +
      '`smtp`, `s3`. Without it only hosts of this machine, and of one word as in a compose file, are talked to unencrypted.',
  );

/** Returns the faults of these variables in production, as `NAME: reason`. The texts contain no secrets. */
export function cleartextFaults(values: Readonly<Record<string, string>>, allowed: string | undefined): string[] {
  const allowedServers = listOf(allowed ?? '');
  return Object.entries(addresses).flatMap(([name, { server, isEncrypted, remedy }]) => {
    const url = values[name];
    if (url === undefined || allowedServers.includes(server) || isEncrypted(url)) return [];
    const far = hostsOf(url).filter((host) => !isNear(host));
    return far.length === 0
      ? []
      : [`${name}: would be unencrypted to ${far.join(', ')}: ${remedy}, or name ${server} in ALLOW_CLEARTEXT`];
  });
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function isMongodbEncrypted(url: string): boolean {
  const options = optionsOf(url);
  const tls = options.get('tls') ?? options.get('ssl');
  return tls === 'true' || (tls === null && url.startsWith('mongodb+srv:'));
}

function isSmtpEncrypted(url: string): boolean {
  return url.startsWith('smtps:') || optionsOf(url).get('requireTLS') === 'true';
}

function optionsOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark));
}

/** Returns the hosts of an address; an address of MongoDB may have several. */
function hostsOf(url: string): string[] {
  const [, authority = ''] = /^[^:]+:\/\/([^/?]*)/.exec(url) ?? [];
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',');
  return hosts.map((host) => /^\[([^\]]*)\]|^[^:]*/.exec(host)).map((found) => found?.[1] ?? found?.[0] ?? '');
}

/** Whether a host is this machine, or has a name without dots, which exists only in a private network. */
function isNear(host: string): boolean {
  if (host === '::1' || host.startsWith('127.') || host.toLowerCase() === 'localhost') return true;
  // The name of a Unix socket begins with an escaped slash (`%2F`).
  return isIP(host) === 0 && (!host.includes('.') || host.toLowerCase().startsWith('%2f'));
}
