import { createHash } from 'node:crypto';
import { messageOf } from '../errors.ts';
import { standardDelaysMs } from '../settings.ts';
import { eventsExchange } from '../topology.ts';
import { deadLetterExchange, delayExchange } from './declare.ts';
import { openManagement, type Management, type Permissions, type TopicPermissions } from './management.ts';

/** A user of the broker: `made` or `changed` just now, `present` before as wanted, or `failed`. */
export interface UserStep {
  readonly what: string;
  readonly was: 'made' | 'changed' | 'present' | 'failed';
  readonly detail?: string;
}

export interface BusUser {
  /** Also the source of the user's events, and what the names of its queues begin with. */
  readonly name: string;
  readonly password: string;
  /** It publishes its facts and does nothing else: it has no queues, and can listen to nothing. */
  readonly publishesOnly?: boolean;
}

/** What is published to: events, and what a handler wants to have tried again or gave up. */
const exchanges = [eventsExchange, deadLetterExchange, ...standardDelaysMs.map(delayExchange)];
// The broker's own names of the queues of broadcasts, each of which is locked to its connection.
const broadcastQueues = String.raw`amq\.gen-.*`;

/**
 * Gives each client of the broker a user of its own, who may publish its own facts alone, consume its own queues alone, and
 * change no other queue or exchange; `deployTopology` makes those. Doing it again changes nothing, but a
 * password that is another one now, or rights. A user that fails does not stop the others.
 */
export async function deployUsers(options: {
  /** The broker's address, for its virtual host. */
  readonly url: string;
  /** With a user who is an administrator; that of `url` where it names none. */
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
  { name, password, publishesOnly = false }: BusUser,
): Promise<'made' | 'changed' | 'present'> {
  const before = await management.readUser(name);
  let isChanged = false;
  // A user without permissions can do nothing: those come last.
  if (before === undefined || before.tags.length > 0 || !isPassword(password, before)) {
    await management.setUser(name, password);
    isChanged = true;
  }
  const topics = await management.readTopicPermissions(name);
  for (const wanted of topicPermissionsOf(name, publishesOnly)) {
    const { write, read } = topics.find(({ exchange }) => exchange === wanted.exchange) ?? {};
    if (write === wanted.write && read === wanted.read) continue;
    await management.setTopicPermissions(name, wanted);
    isChanged = true;
  }
  const wanted = publishesOnly ? publisherPermissions : permissionsOf(name);
  const { configure, write, read } = (await management.readPermissions(name)) ?? {};
  if (configure !== wanted.configure || write !== wanted.write || read !== wanted.read) {
    await management.setPermissions(name, wanted);
    isChanged = true;
  }
  if (before === undefined) return 'made';
  return isChanged ? 'changed' : 'present';
}

function permissionsOf(name: string): Permissions {
  const own = `${escaped(name)}${String.raw`\.on-[a-z-]+`}`;
  return {
    configure: whole([own, broadcastQueues]),
    // To write to a queue is to bind it. The default exchange, which reaches every queue, is not among these.
    write: whole([...exchanges.map(escaped), own, broadcastQueues]),
    read: whole([escaped(eventsExchange), own, broadcastQueues]),
  };
}

/** Routing keys are types of events, or at the other exchanges names of queues: both begin with the client's name. */
function topicPermissionsOf(name: string, publishesOnly: boolean): TopicPermissions[] {
  const read = publishesOnly ? nothing : '.*';
  return exchanges.map((exchange) => ({ exchange, write: `^${escaped(name)}${String.raw`\.`}`, read }));
}

const nothing = '^$';
const publisherPermissions: Permissions = {
  configure: nothing,
  write: `^${eventsExchange.replaceAll('.', String.raw`\.`)}$`,
  read: nothing,
};

const whole = (alternatives: readonly string[]) => `^(${alternatives.join('|')})$`;
const escaped = (name: string) => name.replaceAll('.', String.raw`\.`);

/** RabbitMQ stores a salt of four bytes and the hash of the salt and the password. */
function isPassword(
  password: string,
  { password_hash, hashing_algorithm }: { readonly password_hash: string; readonly hashing_algorithm: string },
): boolean {
  const stored = Buffer.from(password_hash, 'base64');
  const salt = stored.subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return hashing_algorithm === 'rabbit_password_hashing_sha256' && stored.subarray(4).equals(hash);
}
