import { call, logIn } from '../api.ts';
import type { Lab } from '../lab.ts';
import { percentiles } from '../percentiles.ts';
import type { Line } from '../report.ts';

const tries = 100;
const goalMs = 100;
const deadlineMs = 10_000;

/** From the answer to a logout at one gateway to the first refusal of the same token at another. */
export async function measureRevocation(lab: Lab): Promise<Line[]> {
  const { gateways, accounts } = await lab.separate();
  const [here = '', there = ''] = gateways;
  const took: number[] = [];
  for (let at = 0; at < tries; at += 1) {
    const token = await logIn(here, accounts.retail);
    await call(there, 'GET', '/v1/users/me', { token });
    await call(here, 'POST', '/v1/auth/logout', { token });
    took.push(await untilRefused(there, token));
  }
  const { p50, p99 } = percentiles(took);
  return [
    {
      what: 'revocation at another gateway',
      result: `p99 ${Math.round(p99)} ms`,
      goal: `≤ ${goalMs} ms`,
      met: p99 <= goalMs,
      p50,
      p99,
    },
  ];
}

async function untilRefused(gateway: string, token: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answer = await fetch(`${gateway}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    const took = performance.now() - begun;
    if (answer.status === 401) return took;
    if (took > deadlineMs) throw new Error('a revoked token was still taken after ten seconds');
  }
}
