import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing/eventually';
import { describeFault } from '../plan.ts';
import type { Fault, Targets } from '../plan.ts';
import type { ClusterRole } from './backing.ts';
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
  /** Injects a fault and resolves when it is over. Faults on one target run one after the other. Never rejects. */
  inject(fault: Fault): Promise<void>;
  kills(): readonly Kill[];
  roleFaults(): readonly RoleFault[];
  /** Waits until all faults are over and every process runs again. */
  heal(): Promise<void>;
}

const restartTimeoutMs = 60_000;

export function createFaultInjector({ backing, stack }: SystemUnderTest, say: (line: string) => void): FaultInjector {
  const servers = new Map(backing.servers.map((server) => [server.name, server]));
  const instances = Object.keys(stack.processes());
  const roles = new Map(backing.roles.map((role) => [role.name, role]));
  const lastFaults = new Map<string, Promise<void>>();
  const kills: Kill[] = [];
  const roleFaults: RoleFault[] = [];

  async function pidOf(target: string): Promise<number> {
    const server = servers.get(target);
    if (server) return server.pid;
    return eventually(() => stack.processes()[target], `${target} to be running`, restartTimeoutMs);
  }

  async function pause(target: string, ms: number): Promise<void> {
    const pid = await pidOf(target);
    process.kill(pid, 'SIGSTOP');
    await wait(ms);
    process.kill(pid, 'SIGCONT');
  }

  async function kill(target: string, restartAfterMs = 0): Promise<void> {
    const pid = await pidOf(target);
    process.kill(pid, 'SIGKILL');
    kills.push({ target, at: Date.now() });
    await wait(restartAfterMs);
    await servers.get(target)?.restart();
    if (!servers.has(target)) await untilReplaced(target, pid);
  }

  async function restart(target: string): Promise<void> {
    const server = servers.get(target);
    if (server) return server.restart();
    const pid = await pidOf(target);
    process.kill(pid, 'SIGTERM');
    return untilReplaced(target, pid);
  }

  async function untilReplaced(target: string, pid: number): Promise<void> {
    const isNew = () => ![undefined, pid].includes(stack.processes()[target]);
    await eventually(isNew, `${target} to be started again`, restartTimeoutMs);
  }

  async function injectOnTarget(fault: Fault): Promise<void> {
    const network = backing.networks.get(fault.target);
    switch (fault.kind) {
      case 'kill':
        return kill(fault.target);
      case 'outage':
        return kill(fault.target, fault.ms);
      case 'restart':
        return restart(fault.target);
      case 'pause':
        return pause(fault.target, fault.ms);
      case 'reset':
        return network?.cut();
      case 'latency':
        network?.delay(fault.delayMs);
        break;
      case 'black-hole':
        network?.silence();
        break;
      case 'hold':
        network?.hold();
        break;
    }
    await wait(fault.ms);
    return network?.accept();
  }

  async function injectOnRole(role: ClusterRole, fault: Fault): Promise<void> {
    const server = await role.holder();
    say(`… which is ${server}`);
    await injectOnTarget({ ...fault, target: server });
    const successor = await role.holder();
    roleFaults.push({ role: role.name, kind: fault.kind, server, successor });
  }

  function inject(fault: Fault): Promise<void> {
    const role = roles.get(fault.target);
    // The servers of a cluster share one sequence: a cluster does not work without a majority of its servers.
    const sequence = role?.group ?? servers.get(fault.target)?.group ?? fault.target;
    const injectNow = async () => {
      say(describeFault(fault));
      await (role ? injectOnRole(role, fault) : injectOnTarget(fault)).catch((error: unknown) =>
        say(`${describeFault(fault)}: ${String(error)}`),
      );
    };
    const over = (lastFaults.get(sequence) ?? Promise.resolve()).then(injectNow);
    lastFaults.set(sequence, over);
    return over;
  }

  return {
    targets: {
      processes: [...instances, ...servers.keys()],
      networks: [...backing.networks.keys()],
      roles: [...roles.keys()],
    },
    inject,
    kills: () => kills,
    roleFaults: () => roleFaults,
    async heal() {
      await Promise.all(lastFaults.values());
      for (const network of backing.networks.values()) network.accept();
      await eventually(
        () => instances.every((name) => stack.processes()[name] !== undefined),
        'every process to run',
        restartTimeoutMs,
      );
    },
  };
}
