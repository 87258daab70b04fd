import { cp, mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailbox, startReaper } from '@storefront/backing';
import { startSingleBacking, type RigBacking } from './backing.ts';
import { createClocks, type Clocks } from './clocks.ts';
import { startClusteredBacking } from './cluster.ts';
import { copyEvents, type EventCopies } from './event-copies.ts';
import { instanceNames } from './instance-names.ts';
import { startStackUnderTest, type StackUnderTest } from './stack-under-test.ts';

/** The whole system in processes of its own, with servers that belong to the rig. */
export interface SystemUnderTest {
  readonly backing: RigBacking;
  readonly stack: StackUnderTest;
  /**
   * Starts the system of another checkout, the rig's own by default, beside this one: on the same servers and with the same
   * secrets.
   */
  startBeside(root?: string): Promise<StackUnderTest>;
  /** Stops the present system; from now on `stack` is the other one. */
  replaceStack(next: StackUnderTest): Promise<void>;
  readonly clocks: Clocks;
  readonly copies: EventCopies;
  /** The address of the mailbox's API. */
  readonly mailbox: string;
  readonly dataDir: string;
  /** Stops everything. `keepData` keeps the data folder. */
  close(keepData?: boolean): Promise<void>;
}

/** The recipients whose mails end the conversation with the mail server, after the whole mail and before its answer. */
export const poisonousDomain = 'poison.example.com';
const breaksOff = (recipient: string) => recipient.endsWith(`@${poisonousDomain}`);

export async function startSystem(options: {
  gateways: number;
  instances: number;
  cluster: boolean;
  /** The folder of the checkout whose system is started; that of the rig by default. */
  root?: string | undefined;
  /** Variables of the services that are not the default. */
  env?: Readonly<Record<string, string>>;
  say: (line: string) => void;
}): Promise<SystemUnderTest> {
  const { say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-faults-'));
  const resources = new AsyncDisposableStack();
  let keepsData = false;
  const close = async (keepData = false) => {
    keepsData = keepData;
    await resources.disposeAsync().catch((error: unknown) => say(String(error)));
    if (!keepData) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const reaper = startReaper();
    resources.defer(() => reaper.close());
    const mailbox = await startMailbox({ capacity: 200_000, breaksOff });
    resources.defer(() => mailbox.close());
    say(options.cluster ? 'Starting three MongoDB and three RabbitMQ …' : 'Starting MongoDB and RabbitMQ …');
    const startBacking = options.cluster ? startClusteredBacking : startSingleBacking;
    const instances = instanceNames(options);
    const backing = await startBacking({ dataDir, instances, reaper, say });
    resources.defer(() => backing.close(keepsData));
    const clocks = await createClocks(join(dataDir, 'clocks'), instances);
    say('Starting the system …');
    const { mongodb, amqp } = backing.direct;
    let started = 0;
    async function startStack(root: string | undefined): Promise<StackUnderTest> {
      const folder = join(dataDir, `stack-${(started += 1)}`);
      await mkdir(folder);
      if (started > 1) await cp(join(dataDir, 'stack-1', 'secrets.json'), join(folder, 'secrets.json'));
      const next = await startStackUnderTest({
        root,
        dataDir: folder,
        gateways: options.gateways,
        instances: options.instances,
        env: {
          MONGODB_URL: mongodb,
          AMQP_URL: amqp,
          SMTP_URL: mailbox.url,
          ...backing.links.env,
          ...clocks.env,
          ...options.env,
        },
        reaper,
      });
      resources.defer(async () => void (await next.stop()));
      return next;
    }
    let stack = await startStack(options.root);
    const copies = copyEvents(backing.direct);
    resources.defer(() => copies.stop());
    await copies.opened;
    return {
      backing,
      get stack() {
        return stack;
      },
      startBeside: startStack,
      async replaceStack(next) {
        const former = stack;
        stack = next;
        await former.stop();
      },
      clocks,
      copies,
      mailbox: mailbox.page,
      dataDir,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
