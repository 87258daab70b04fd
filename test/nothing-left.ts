import { eventually } from '@storefront/testing';
import { expect } from 'vitest';
import { alive, type Description, type Process } from './start-process.ts';

/** Waits until all of the processes have ended; then nobody must listen at the addresses of the system. */
export async function expectNothingLeft(
  family: readonly Process[],
  { gateways, mailbox, payments }: Pick<Description, 'gateways' | 'mailbox' | 'payments'>,
): Promise<void> {
  await eventually(
    () => {
      const left = alive(family);
      if (left.length > 0) throw new Error(left.map(({ pid, command }) => `${pid} ${command}`).join('\n'));
      return true;
    },
    'all processes to end',
    60_000,
  );
  for (const url of [...gateways, mailbox ?? '', payments.demo.url]) expect(await isClosed(url)).toBe(true);
}

async function isClosed(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}
