import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

/**
 * The address of a virtual host that nobody else uses, and how to drop it again with all its queues. Made over the
 * management interface: that takes 13 ms, where `rabbitmqctl` takes 700 ms.
 */
export async function freshVhost(label: string): Promise<{ url: string; drop(): Promise<void> }> {
  const url = new URL(inject('amqpUrl'));
  const user = url.username || 'guest';
  const management = new URL(inject('rabbitmqManagementUrl'));
  // fetch takes no address with a password in it.
  management.username = '';
  management.password = '';
  const authorization = `Basic ${Buffer.from(`${user}:${url.password || 'guest'}`).toString('base64')}`;
  const vhost = `${label}-${randomBytes(5).toString('hex')}`;
  url.pathname = `/${vhost}`;

  async function ask(method: 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
    const answer = await fetch(new URL(`/api/${path}`, management), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`RabbitMQ answered ${answer.status} to ${method} ${path}: ${await answer.text()}`);
  }

  await ask('PUT', `vhosts/${vhost}`);
  await ask('PUT', `permissions/${vhost}/${user}`, { configure: '.*', write: '.*', read: '.*' });
  return { url: url.href, drop: () => ask('DELETE', `vhosts/${vhost}`) };
}
