import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing/eventually';
import { describeFault } from '../plan.ts';
import type { Fault, Targets } from '../plan.ts';
import type { Role } from './backing.ts';
import type { System } from './system.ts';

interface Kill {
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A fault that struck whoever played a role of a cluster. */
interface Hit {
  readonly role: string;
  readonly kind: Fault['kind'];
  /** Who played it when the fault struck. */
  readonly server: string;
  /** Who plays it since. */
  readonly successor: string;
}

/** Breaks the system, and puts everything right again. */
export interface Breaker {
  readonly targets: Targets;
  /** Resolves when the fault is over; those on one target come one after the other. Never rejects. */
  strike(fault: Fault): Promise<void>;
  kills(): readonly Kill[];
  hits(): readonly Hit[];
  /** Waits for the faults under way, then for every process to be there and every gateway to be ready. */
  heal(): Promise<void>;
}

const restartMs = 60_000;

export function createBreaker({ backing, stack }: System, say: (line: string) => void): Breaker {
  const servers = new Map(backing.servers.map((server) => [server.name, server]));
  const parts = Object.keys(stack.processes());
  const roles = new Map(backing.roles.map((role) => [role.name, role]));
  const tails = new Map<string, Promise<void>>();
  const kills: Kill[] = [];
  const hits: Hit[] = [];

  async function pidOf(target: string): Promise<number> {
    const server = servers.get(target);
    if (server) return server.pid;
    return eventually(() => stack.processes()[target], `${target} to be running`, restartMs);
  }

  async function halt(target: string, ms: number): Promise<void> {
    const pid = await pidOf(target);
    process.kill(pid, 'SIGSTOP');
    await wait(ms);
    process.kill(pid, 'SIGCONT');
  }

  async function kill(target: string, awayMs = 0): Promise<void> {
    const pid = await pidOf(target);
    process.kill(pid, 'SIGKILL');
    kills.push({ target, at: Date.now() });
    await wait(awayMs);
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
    await eventually(isNew, `${target} to be started again`, restartMs);
  }

  async function carryOut(fault: Fault): Promise<void> {
    const network = backing.networks.get(fault.target);
    switch (fault.kind) {
      case 'kill':
        return kill(fault.target);
      case 'away':
        return kill(fault.target, fault.ms);
      case 'restart':
        return restart(fault.target);
      case 'halt':
        return halt(fault.target, fault.ms);
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

  async function carryOutOn(role: Role, fault: Fault): Promise<void> {
    const server = await role.player();
    say(`… which is ${server}`);
    await carryOut({ ...fault, target: server });
    const successor = await role.player();
    hits.push({ role: role.name, kind: fault.kind, server, successor });
  }

  function strike(fault: Fault): Promise<void> {
    const role = roles.get(fault.target);
    // Members of one cluster take turns: more than half of it gone is no fault that it promises to bear.
    const lane = role?.group ?? servers.get(fault.target)?.group ?? fault.target;
    const strikeNow = async () => {
      say(describeFault(fault));
      await (role ? carryOutOn(role, fault) : carryOut(fault)).catch((error: unknown) =>
        say(`${describeFault(fault)}: ${String(error)}`),
      );
    };
    const over = (tails.get(lane) ?? Promise.resolve()).then(strikeNow);
    tails.set(lane, over);
    return over;
  }

  return {
    targets: {
      processes: [...parts, ...servers.keys()],
      networks: [...backing.networks.keys()],
      roles: [...roles.keys()],
    },
    strike,
    kills: () => kills,
    hits: () => hits,
    async heal() {
      await Promise.all(tails.values());
      for (const network of backing.networks.values()) network.accept();
      await eventually(
        () => parts.every((part) => stack.processes()[part] !== undefined),
        'every process to be there',
        restartMs,
      );
    },
  };
}
