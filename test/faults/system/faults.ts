import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@storefront/testing/eventually';
import { describeFault } from '../plan.ts';
import type { Fault, Targets } from '../plan.ts';
import type { System } from './system.ts';

/** Breaks the system, and puts everything right again. */
export interface Breaker {
  readonly targets: Targets;
  /** Resolves when the fault is over; those on one target come one after the other. Never rejects. */
  strike(fault: Fault): Promise<void>;
  /** How often this was killed; without a target, how often anything was. */
  kills(target?: string): number;
  /** Waits for the faults under way, then for every process to be there and every gateway to be ready. */
  heal(): Promise<void>;
}

const restartMs = 60_000;

export function createBreaker({ backing, stack }: System, say: (line: string) => void): Breaker {
  const servers = new Map(backing.servers.map((server) => [server.name, server]));
  const parts = Object.keys(stack.processes());
  const tails = new Map<string, Promise<void>>();
  const killed: string[] = [];

  const rolesOf = (target: string) => servers.get(target)?.role?.() ?? '';

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
    killed.push(target);
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

  function strike(fault: Fault): Promise<void> {
    // Members of one cluster take turns: more than half of it gone is no fault that it promises to bear.
    const lane = servers.get(fault.target)?.group ?? fault.target;
    const strikeNow = async () => {
      say(`${describeFault(fault)}${rolesOf(fault.target)}`);
      await carryOut(fault).catch((error: unknown) => say(`${describeFault(fault)}: ${String(error)}`));
    };
    const over = (tails.get(lane) ?? Promise.resolve()).then(strikeNow);
    tails.set(lane, over);
    return over;
  }

  return {
    targets: { processes: [...parts, ...servers.keys()], networks: [...backing.networks.keys()] },
    strike,
    kills: (target) => killed.filter((each) => target === undefined || each === target).length,
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
