/** A policy in the form of RabbitMQ's management interface. */
export interface Policy {
  readonly name: string;
  /** A regular expression for the names of the queues. */
  readonly pattern: string;
  readonly definition: Readonly<Record<string, number>>;
}

interface StoredPolicy {
  readonly pattern: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

interface StoredUser {
  readonly password_hash: string;
  readonly hashing_algorithm: string;
  readonly tags: readonly string[] | string;
}

/** What a user may do in a virtual host, as regular expressions for the names of queues and exchanges. */
export interface Permissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
}

/** What a user may do at one exchange, as regular expressions for routing keys. */
export interface TopicPermissions {
  readonly exchange: string;
  readonly write: string;
  readonly read: string;
}

/**
 * RabbitMQ's management interface for one virtual host. All functions throw where the interface refuses or does not
 * answer within 10 s.
 */
export interface Management {
  readPolicy(name: string): Promise<StoredPolicy | undefined>;
  setPolicy(policy: Policy): Promise<void>;
  readUser(name: string): Promise<StoredUser | undefined>;
  /** Creates a user without any rights, or changes the password of an existing user. */
  setUser(name: string, password: string): Promise<void>;
  readPermissions(user: string): Promise<Permissions | undefined>;
  setPermissions(user: string, permissions: Permissions): Promise<void>;
  readTopicPermissions(user: string): Promise<readonly TopicPermissions[]>;
  setTopicPermissions(user: string, permissions: TopicPermissions): Promise<void>;
}

const answerWithinMs = 10_000;

/** `address` may contain a user and password; otherwise those of the broker's address are used. */
export function openManagement(address: string, amqpUrl: string): Management {
  const [management, broker] = [new URL(address), new URL(amqpUrl)];
  const [user, password] = management.username ? credentialsOf(management) : credentialsOf(broker);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  // `fetch` refuses an address with a password.
  management.username = '';
  management.password = '';
  const vhost = broker.pathname.length > 1 ? broker.pathname.slice(1) : '%2F';

  async function request(method: 'GET' | 'PUT', path: string, body?: object): Promise<Response> {
    const response = await fetch(new URL(`${management.pathname.replace(/\/$/, '')}/api/${path}`, management), {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok && response.status !== 404)
      throw new Error(`RabbitMQ's management interface answers ${response.status}: ${await response.text()}`);
    return response;
  }

  async function read<Stored>(path: string): Promise<Stored | undefined> {
    const response = await request('GET', path);
    return response.status === 404 ? undefined : ((await response.json()) as Stored);
  }

  async function put(path: string, body: object): Promise<void> {
    const { status } = await request('PUT', path, body);
    if (status === 404) throw new Error(`RabbitMQ's management interface has no virtual host ${vhost}`);
  }

  return {
    readPolicy: (name) => read(`policies/${vhost}/${name}`),
    setPolicy: ({ name, pattern, definition }) =>
      put(`policies/${vhost}/${name}`, { pattern, definition, 'apply-to': 'queues', priority: 0 }),
    readUser: (name) => read(`users/${name}`),
    setUser: (name, newPassword) => put(`users/${name}`, { password: newPassword, tags: '' }),
    readPermissions: (name) => read(`permissions/${vhost}/${name}`),
    setPermissions: (name, permissions) => put(`permissions/${vhost}/${name}`, permissions),
    readTopicPermissions: async (name) => (await read<TopicPermissions[]>(`topic-permissions/${vhost}/${name}`)) ?? [],
    setTopicPermissions: (name, permissions) => put(`topic-permissions/${vhost}/${name}`, permissions),
  };
}

function credentialsOf({ username, password }: URL): [string, string] {
  return [decodeURIComponent(username) || 'guest', decodeURIComponent(password) || 'guest'];
}
