import { createHash } from 'node:crypto';
import { messageOf } from '../errors.ts';
import { standardDelaysMs } from '../settings.ts';
import { eventsExchange } from '../topology.ts';
import { deadLetterExchange, deadLetterQueue, delayExchange } from './declare.ts';
import { openManagement, type Management, type Permissions, type TopicPermissions } from './management.ts';

/**
 * The result for one user of the broker: `made` or `changed` by this call, `present` before with the wanted rights, or
 * `failed`.
 */
export interface UserStep {
  readonly what: string;
  readonly was: 'made' | 'changed' | 'present' | 'failed';
  readonly detail?: string;
}

export interface BusUser {
  /** The user's name is also the source of its events and the beginning of its queue names. */
  readonly name: string;
  readonly password: string;
  /**
   * `service` by default. A `publisher` may only publish events: it has no queues and can receive nothing. A `replayer` may
   * also read dead letters, and send to every queue.
   */
  readonly kind?: 'service' | 'publisher' | 'replayer';
  /** Whose events it publishes, where that is not its name: an order system stands in for the orders service. */
  readonly publishesAs?: string;
}

/** The exchanges to which services publish: for events, for dead letters and for delayed retries. */
const exchanges = [eventsExchange, deadLetterExchange, ...standardDelaysMs.map(delayExchange)];
// The names that the broker gives to the queues of broadcasts. Only the connection that made such a queue can use it.
const broadcastQueues = String.raw`amq\.gen-.*`;

/**
 * Gives each client of the broker its own user. A user may publish only its own events, consume only its own queues,
 * and change no other queue or exchange; `deployTopology` makes those. Running it again changes only passwords and
 * rights that differ. A user that fails does not stop the others.
 */
export async function deployUsers(options: {
  /** The broker's address, which names the virtual host. */
  readonly url: string;
  /**
   * The address of the management interface. The user in it must be an administrator; without one the user of `url` is
   * used.
   */
  readonly managementUrl: string;
  readonly users: readonly BusUser[];
}): Promise<UserStep[]> {
  const management = openManagement(options.managementUrl, options.url);
  const steps: UserStep[] = [];
  for (const user of options.users) {
    const what = `RabbitMQ user ${user.name}`;
    try {
      steps.push({ what, was: await deployUser(management, user) });
    } catch (error) {
      steps.push({ what, was: 'failed', detail: messageOf(error) });
    }
  }
  return steps;
}

async function deployUser(
  management: Management,
  { name, password, kind = 'service', publishesAs = name }: BusUser,
): Promise<'made' | 'changed' | 'present'> {
  const before = await management.readUser(name);
  let isChanged = false;
  // Permissions are set last, because a user without them can do nothing until everything else is right.
  if (before === undefined || before.tags.length > 0 || !isPassword(password, before)) {
    await management.setUser(name, password);
    isChanged = true;
  }
  const topics = await management.readTopicPermissions(name);
  for (const wanted of topicPermissionsOf(publishesAs, kind)) {
    const { write, read } = topics.find(({ exchange }) => exchange === wanted.exchange) ?? {};
    if (write === wanted.write && read === wanted.read) continue;
    await management.setTopicPermissions(name, wanted);
    isChanged = true;
  }
  const wanted = permissionsOf(name, kind);
  const { configure, write, read } = (await management.readPermissions(name)) ?? {};
  if (configure !== wanted.configure || write !== wanted.write || read !== wanted.read) {
    await management.setPermissions(name, wanted);
    isChanged = true;
  }
  if (before === undefined) return 'made';
  return isChanged ? 'changed' : 'present';
}

function permissionsOf(name: string, kind: BusUser['kind']): Permissions {
  if (kind === 'publisher') return { configure: nothing, write: whole([escaped(eventsExchange)]), read: nothing };
  // `amq.default` is the default exchange, which reaches every queue.
  if (kind === 'replayer')
    return {
      configure: nothing,
      write: whole([escaped(eventsExchange), escaped('amq.default')]),
      read: whole([escaped(deadLetterQueue)]),
    };
  const own = `${escaped(name)}${String.raw`\.on-[a-z-]+`}`;
  return {
    configure: whole([own, broadcastQueues]),
    // Binding a queue needs the right to write to it. The default exchange is left out, because it reaches every queue.
    write: whole([...exchanges.map(escaped), own, broadcastQueues]),
    read: whole([escaped(eventsExchange), own, broadcastQueues]),
  };
}

/**
 * A user may only publish with routing keys that begin with the name of a source, mostly its own. Routing keys are event
 * types, or queue names at the other exchanges; both begin so.
 */
function topicPermissionsOf(source: string, kind: BusUser['kind']): TopicPermissions[] {
  const read = kind === 'service' ? '.*' : nothing;
  return exchanges.map((exchange) => ({ exchange, write: `^${escaped(source)}${String.raw`\.`}`, read }));
}

const nothing = '^$';

const whole = (alternatives: readonly string[]) => `^(${alternatives.join('|')})$`;
const escaped = (name: string) => name.replaceAll('.', String.raw`\.`);

/**
 * Whether the stored hash belongs to this password. RabbitMQ stores a salt of four bytes, then the hash of salt and
 * password.
 */
function isPassword(
  password: string,
  { password_hash, hashing_algorithm }: { readonly password_hash: string; readonly hashing_algorithm: string },
): boolean {
  const stored = Buffer.from(password_hash, 'base64');
  const salt = stored.subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return hashing_algorithm === 'rabbit_password_hashing_sha256' && stored.subarray(4).equals(hash);
}
