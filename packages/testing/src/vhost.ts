import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

/**
 * Creates a new virtual host that only the caller uses. `drop` deletes it with all its queues. Uses the management
 * interface, which takes 13 ms; `rabbitmqctl` takes 700 ms.
 */
export async function freshVhost(label: string): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(inject('amqpUrl'));
  const user = url.username || 'guest';
  const management = new URL(inject('rabbitmqManagementUrl'));
  // `fetch` refuses an address with a password.
  management.username = '';
  management.password = '';
  const authorization = `Basic ${Buffer.from(`${user}:${url.password || 'guest'}`).toString('base64')}`;
  const vhost = `${label}-${randomBytes(5).toString('hex')}`;
  url.pathname = `/${vhost}`;

  async function request(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    const response = await fetch(new URL(`/api/${path}`, management), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok)
      throw new Error(`RabbitMQ answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  }

  await request('PUT', `vhosts/${vhost}`);
  await request('PUT', `permissions/${vhost}/${user}`, { configure: '.*', write: '.*', read: '.*' });
  return { url: url.href, drop: () => request('DELETE', `vhosts/${vhost}`) };
}
