import { setTimeout as wait } from 'node:timers/promises';
import { diskFreeLimitMegabytes } from '@storefront/backing';
import { eventually } from '@storefront/testing/eventually';
import { describeFault, type Fault, type Targets } from '../plan.ts';
import { randomOf } from '../random.ts';
import type { ClusterRole, RigServer } from './backing.ts';
import type { SystemUnderTest } from './system.ts';

interface Kill {
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A fault on the server that had a role of a cluster. */
interface RoleFault {
  readonly role: string;
  readonly kind: Fault['kind'];
  /** The server that had the role when the fault was injected. */
  readonly server: string;
  /** The server that had the role after the fault. */
  readonly successor: string;
}

/** Injects faults into the system, and repairs them. */
export interface FaultInjector {
  readonly targets: Targets;
  /** Injects a fault and resolves when it is over. Never rejects. */
  inject(fault: Fault): Promise<void>;
  kills(): readonly Kill[];
  roleFaults(): readonly RoleFault[];
  /** The faults that could not be injected or repaired, with the reason. */
  failures(): readonly string[];
  /** Waits until all faults are over and every process runs again. */
  heal(): Promise<void>;
  /** From now on a server that ends stays away. */
  stop(): Promise<void>;
}

type NetworkFault = Extract<Fault, { kind: 'reset' | 'latency' | 'jitter' | 'black-hole' | 'hold' }>;
const networkFaults = new Set<Fault['kind']>(['reset', 'latency', 'jitter', 'black-hole', 'hold']);
const isNetworkFault = ({ kind }: Fault): boolean => networkFaults.has(kind);

const restartTimeoutMs = 120_000;
const lookAtServersMs = 500;
// As the broker is configured by default, and by packages/backing.
const memoryWatermark = '0.4';
const diskFreeLimit = `${diskFreeLimitMegabytes}MB`;

export function createFaultInjector(system: SystemUnderTest, seed: number, say: (line: string) => void): FaultInjector {
  const { backing, clocks, copies } = system;
  const { links } = backing;
  const servers = new Map(backing.servers.map((server) => [server.name, server]));
  const instances = Object.keys(system.stack.processes());
  const roles = new Map(backing.roles.map((role) => [role.name, role]));
  const lastFaults = new Map<string, Promise<void>>();
  const kills: Kill[] = [];
  const roleFaults: RoleFault[] = [];
  const failures: string[] = [];
  const random = randomOf(seed, 'targets');
  // Those that a fault has ended on purpose, or that are being started.
  const startedElsewhere = new Set<RigServer>();
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      await startEndedServers();
      await wait(lookAtServersMs, undefined, { signal: watching.signal }).catch(() => undefined);
    }
  })();
  const serversOf = (group: string) => backing.servers.filter((server) => server.group === group);
  const clusters = ['mongodb', 'rabbitmq'].filter((group) => serversOf(group).length > 1);

  async function pidOf(target: string): Promise<number> {
    const server = servers.get(target);
    const runningPid = () => {
      if (!server) return system.stack.processes()[target];
      return isRunning(server.pid) ? server.pid : undefined;
    };
    return eventually(runningPid, `${target} to be running`, restartTimeoutMs);
  }

  async function pause(target: string, ms: number): Promise<void> {
    const pid = await pidOf(target);
    process.kill(pid, 'SIGSTOP');
    await wait(ms);
    process.kill(pid, 'SIGCONT');
  }

  async function kill(target: string, restartAfterMs = 0): Promise<void> {
    const server = servers.get(target);
    const pid = await pidOf(target);
    if (server) startedElsewhere.add(server);
    process.kill(pid, 'SIGKILL');
    kills.push({ target, at: Date.now() });
    await wait(restartAfterMs);
    if (server) await startAgain(server);
    else await untilReplaced(target, pid);
  }

  async function restart(target: string): Promise<void> {
    const server = servers.get(target);
    if (server) return startAgain(server);
    const pid = await pidOf(target);
    process.kill(pid, 'SIGTERM');
    return untilReplaced(target, pid);
  }

  async function untilReplaced(target: string, pid: number): Promise<void> {
    const isNew = () => ![undefined, pid].includes(system.stack.processes()[target]);
    await eventually(isNew, `${target} to be started again`, restartTimeoutMs);
  }

  async function fillDisk(server: RigServer | undefined, ms: number): Promise<void> {
    try {
      await server?.disk?.fill();
      await wait(ms);
    } finally {
      await server?.disk?.free();
    }
  }

  async function startAgain(server: RigServer): Promise<void> {
    startedElsewhere.add(server);
    try {
      await server.restart();
    } finally {
      startedElsewhere.delete(server);
    }
  }

  /** Starts the servers again that ended themselves, as a service manager does: RabbitMQ ends seconds after a full disk. */
  async function startEndedServers(): Promise<void> {
    const ended = backing.servers.filter((server) => !startedElsewhere.has(server) && !isRunning(server.pid));
    for (const server of ended) {
      say(`${server.name} has ended by itself, and is started again`);
      // Where its disk is still full, the next look tries again.
      await startAgain(server).catch((error: unknown) => {
        say(`${server.name} could not be started: ${String(error)}`);
      });
    }
  }

  async function raiseAlarm(server: RigServer | undefined, { kind, ms }: Fault & { ms: number }): Promise<void> {
    const [module, setter, raised, usual] =
      kind === 'memory-alarm'
        ? ['vm_memory_monitor', 'set_vm_memory_high_watermark', '0.0001', memoryWatermark]
        : ['rabbit_disk_monitor', 'set_disk_free_limit', '"1000000GB"', `"${diskFreeLimit}"`];
    // The node ends the alarm itself, since a call of rabbitmqctl takes 5 to 25 s beside other tests.
    const code = `${module}:${setter}(${raised}), timer:apply_after(${ms}, ${module}, ${setter}, [${usual}]).`;
    // A node that has ended by itself answers once it has been started again.
    await eventually(
      async () => (await server?.control?.('eval', code)) !== undefined,
      `${kind} to be raised`,
      restartTimeoutMs,
    );
    await wait(ms);
  }

  async function loseMajority(group: string, { kind, ms }: Fault & { ms: number }): Promise<void> {
    const [spared, ...lost] = random.shuffle(serversOf(group));
    say(`… all but ${spared?.name}`);
    await Promise.all(lost.map(({ name }) => (kind === 'majority-pause' ? pause(name, ms) : kill(name, ms))));
  }

  async function injectOnTarget(fault: Fault): Promise<void> {
    const { target } = fault;
    const server = servers.get(target);
    switch (fault.kind) {
      case 'kill':
        return kill(target);
      case 'outage':
        return kill(target, fault.ms);
      case 'restart':
        return restart(target);
      case 'pause':
        return pause(target, fault.ms);
      case 'clock':
        await clocks.shift(target, fault.shiftMs);
        await wait(fault.ms);
        return clocks.shift(target, 0);
      case 'full-disk':
        return fillDisk(server, fault.ms);
      case 'memory-alarm':
      case 'disk-alarm':
        return raiseAlarm(server, fault);
      case 'majority-pause':
      case 'majority-outage':
        return loseMajority(target, fault);
      case 'old-events':
        return sendOldEvents(fault.count);
      case 'reset':
      case 'latency':
      case 'jitter':
      case 'black-hole':
      case 'hold':
        return disturbNetwork(fault);
    }
  }

  /** Waits while the broker is away, and while there is no event yet. */
  async function sendOldEvents(count: number): Promise<void> {
    await eventually(() => copies.sendAgain(count, random), 'old events to be sent again', restartTimeoutMs);
  }

  async function disturbNetwork(fault: NetworkFault): Promise<void> {
    const proxies = links.proxiesOf(fault.target);
    for (const proxy of proxies) {
      if (fault.kind === 'reset') proxy.cut();
      else if (fault.kind === 'latency') proxy.delay(fault.delayMs);
      else if (fault.kind === 'jitter') proxy.jitter(fault.delayMs);
      else if (fault.kind === 'black-hole') proxy.silence();
      else proxy.hold();
    }
    if (fault.kind === 'reset') return;
    await wait(fault.ms);
    for (const proxy of proxies) proxy.accept();
  }

  async function injectOnRole(role: ClusterRole, fault: Fault): Promise<void> {
    const server = await role.holder();
    say(`… which is ${server}`);
    await injectOnTarget({ ...fault, target: server } as Fault);
    const successor = await role.holder();
    roleFaults.push({ role: role.name, kind: fault.kind, server, successor });
  }

  /** The faults of one sequence run one after the other. */
  function sequenceOf(fault: Fault): string {
    // A link shares the sequence of its server's network: what ends one fault of a proxy ends all of them.
    if (isNetworkFault(fault)) return `network of ${links.serverOf(fault.target)}`;
    // The servers of a cluster share one: a cluster does not work without a majority of its servers.
    return roles.get(fault.target)?.group ?? servers.get(fault.target)?.group ?? fault.target;
  }

  function inject(fault: Fault): Promise<void> {
    const role = roles.get(fault.target);
    const sequence = sequenceOf(fault);
    const injectNow = async () => {
      say(describeFault(fault));
      await (role ? injectOnRole(role, fault) : injectOnTarget(fault)).catch((error: unknown) => {
        failures.push(`${describeFault(fault)}: ${String(error)}`);
        say(failures.at(-1) ?? '');
      });
    };
    const over = (lastFaults.get(sequence) ?? Promise.resolve()).then(injectNow);
    lastFaults.set(sequence, over);
    return over;
  }

  return {
    targets: {
      processes: [...instances, ...servers.keys()],
      clocks: instances,
      networks: links.networks,
      links: links.names,
      disks: backing.servers.filter(({ disk }) => disk).map(({ name }) => name),
      brokers: backing.servers.filter(({ control }) => control).map(({ name }) => name),
      clusters,
      roles: [...roles.keys()],
    },
    inject,
    kills: () => kills,
    roleFaults: () => roleFaults,
    failures: () => failures,
    async heal() {
      await Promise.all(lastFaults.values());
      links.accept();
      await eventually(
        () => instances.every((name) => system.stack.processes()[name] !== undefined),
        'every process to run',
        restartTimeoutMs,
      );
    },
    async stop() {
      watching.abort();
      await watch;
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
