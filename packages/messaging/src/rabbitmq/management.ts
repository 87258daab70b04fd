/** What an operator's policy changes, as RabbitMQ's management interface has it. */
export interface Policy {
  readonly name: string;
  /** A regular expression for the names of the queues. */
  readonly pattern: string;
  readonly definition: Readonly<Record<string, number>>;
}

interface Stored {
  readonly pattern: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

/** RabbitMQ's management interface for one virtual host. Its functions throw where it refuses or does not answer. */
export interface Management {
  readPolicy(name: string): Promise<Stored | undefined>;
  setPolicy(policy: Policy): Promise<void>;
}

const answerWithinMs = 10_000;

/** `address` may have a user and password of its own; else those of the broker's address are used. */
export function openManagement(address: string, amqpUrl: string): Management {
  const [management, broker] = [new URL(address), new URL(amqpUrl)];
  const [user, password] = management.username ? credentialsOf(management) : credentialsOf(broker);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  // `fetch` refuses an address with a password.
  management.username = '';
  management.password = '';
  const vhost = broker.pathname.length > 1 ? broker.pathname.slice(1) : '%2F';

  async function request(method: 'GET' | 'PUT', name: string, body?: object): Promise<Response> {
    const path = `${management.pathname.replace(/\/$/, '')}/api/policies/${vhost}/${name}`;
    const response = await fetch(new URL(path, management), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok && response.status !== 404)
      throw new Error(`RabbitMQ's management interface answers ${response.status}: ${await response.text()}`);
    return response;
  }

  return {
    async readPolicy(name) {
      const response = await request('GET', name);
      return response.status === 404 ? undefined : ((await response.json()) as Stored);
    },
    async setPolicy({ name, pattern, definition }) {
      const body = { pattern, definition, 'apply-to': 'queues', priority: 0 };
      const { status } = await request('PUT', name, body);
      if (status === 404) throw new Error(`RabbitMQ's management interface has no virtual host ${vhost}`);
    },
  };
}

function credentialsOf({ username, password }: URL): [string, string] {
  return [decodeURIComponent(username) || 'guest', decodeURIComponent(password) || 'guest'];
}
