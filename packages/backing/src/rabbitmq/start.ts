import { join } from 'node:path';
import { BackingError, reasonOf } from '../error.ts';
import { openDataFolder } from '../process/data-folder.ts';
import { lastLines, startProcess, whenReady, type ManagedProcess } from '../process/managed.ts';
import { isFree, keepOrChoosePorts } from '../process/ports.ts';
import { startReaper, type Reaper } from '../process/reaper.ts';
import type { StartedServer } from '../process/started-server.ts';
import { endWithoutQueues } from './end-without-queues.ts';
import type { RabbitmqPrograms } from './find.ts';
import { controlRabbitmq } from './control.ts';
import { untilRabbitmqAnswers } from './handshake.ts';
import { writeSettings } from './settings.ts';
import { checkSpace } from './space.ts';

export interface RabbitmqOptions {
  programs: RabbitmqPrograms;
  /** The folder of this node only; created if missing. The next start finds the same durable queues. */
  dataDir: string;
  /** The required port for AMQP. The default is the port of the last start if it is free, otherwise any free port. */
  port?: number;
  /** Whether to serve the management API too. */
  management?: boolean;
  /** Ends the server when this process is killed. By default the server gets its own reaper. */
  reaper?: Reaper;
  /** Called when the server's process runs, before the server is ready. */
  onSpawned?: () => void;
  /** Called when the server ends without being stopped. `detail` says how it ended and where its log is. */
  onExit?: (detail: string) => void;
}

export interface StartedRabbitmq extends StartedServer {
  /** The address of the management API with user and password. Absent without the management API. */
  readonly managementUrl?: string;
  /** Runs `rabbitmqctl` on the node and returns its output. Throws if the command fails. */
  readonly control: (...args: string[]) => Promise<string>;
}

const startWithinMs = 180_000;
const stopWithinMs = 10_000;
// The node is killed sooner with the management plugin, which delays the end by five seconds although everything is
// written.
const stopWithManagementWithinMs = 2_000;

/** Starts a private RabbitMQ node on loopback. Throws a BackingError if it does not start, or if the disk is nearly full. */
export async function startRabbitmq(options: RabbitmqOptions): Promise<StartedRabbitmq> {
  const { programs, management = false } = options;
  const folder = await openDataFolder<'amqp' | 'distribution' | 'epmd' | 'management'>(options.dataDir, 'RabbitMQ');
  const logFile = join(folder.path, 'rabbitmq.log');
  const requiredPort = options.port;
  if (requiredPort !== undefined && !(await isFree(requiredPort))) {
    throw new BackingError(
      `Port ${requiredPort} for RabbitMQ is in use: end what listens there or choose another port.`,
    );
  }
  const ports = await keepOrChoosePorts(['amqp', 'distribution', 'epmd', 'management'], {
    ...folder.last.ports,
    ...(requiredPort !== undefined && { amqp: requiredPort }),
  });
  // The node's data belongs to its name, so the name stays the same when ports change.
  const name = folder.last.name ?? `storefront_${ports.amqp}@localhost`;
  const env = await writeSettings(programs, folder.path, name, ports, management).catch((error: unknown) => {
    throw new BackingError(`RabbitMQ can't write to ${folder.path}: ${reasonOf(error)}.`);
  });
  const reaper = options.reaper ?? startReaper();
  const url = `amqp://guest:guest@127.0.0.1:${ports.amqp}`;
  let version = '';

  const startEpmd = () =>
    startProcess({
      command: programs.epmd,
      args: ['-port', String(ports.epmd), '-address', '127.0.0.1'],
      env,
      logFile: join(folder.path, 'epmd.log'),
      reaper,
    });

  async function startNode(): Promise<ManagedProcess> {
    await checkSpace(folder.path);
    const node = await startProcess({
      command: programs.server,
      args: endWithoutQueues,
      env,
      cwd: folder.path,
      logFile,
      logMayLose: true,
      reaper,
      onUnexpectedEnd: (how) => options.onExit?.(`rabbitmq-server ended with ${how}; its log is ${logFile}`),
    });
    options.onSpawned?.();
    await folder.save({ ports, name, pid: node.pid }).catch(async (error: unknown) => {
      await node.stop();
      throw error;
    });
    const check = (signal: AbortSignal) => untilRabbitmqAnswers(url, signal);
    version = await whenReady(node, startWithinMs, check).catch((error: unknown) => {
      throw new BackingError(
        `${programs.server} did not start on ${folder.path} (${reasonOf(error)}): read its last lines, ` +
          `and remove the folder if its data may go.\n${lastLines(logFile, 5)}`,
      );
    });
    return node;
  }

  let epmd: ManagedProcess | undefined;
  async function startBoth(): Promise<ManagedProcess> {
    try {
      if (!epmd?.running) epmd = await startEpmd();
      return await startNode();
    } catch (error) {
      if (error instanceof BackingError) throw error;
      throw new BackingError(`RabbitMQ can't be run: ${reasonOf(error)}. Install RabbitMQ again or set AMQP_URL.`);
    }
  }
  async function stopBoth(node: ManagedProcess | undefined): Promise<void> {
    await node?.stop(management ? stopWithManagementWithinMs : stopWithinMs);
    await epmd?.stop();
    if (options.reaper === undefined) await reaper.close();
  }

  let node = await startBoth().catch(async (error: unknown) => {
    await stopBoth(undefined);
    throw error;
  });
  return {
    url,
    ...(management && { managementUrl: `http://guest:guest@127.0.0.1:${ports.management}` }),
    get version() {
      return version;
    },
    get pid() {
      return node.pid;
    },
    control: (...args) => controlRabbitmq(programs, { node: name, env }, args),
    async restart() {
      await node.stop();
      node = await startBoth();
    },
    close: () => stopBoth(node),
  };
}
