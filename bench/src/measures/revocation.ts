import { call, logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { percentiles } from '../percentiles.ts';
import type { ReportLine } from '../report.ts';

const logouts = 100;
const goalMs = 100;
const deadlineMs = 10_000;

/** The time from the response to a logout at one gateway until another gateway refuses the token. */
export async function measureRevocation(context: BenchContext): Promise<ReportLine[]> {
  const { gateways, accounts } = await context.separateStack();
  const [first = '', second = ''] = gateways;
  const delays: number[] = [];
  for (let at = 0; at < logouts; at += 1) {
    const token = await logIn(first, accounts.retail);
    await call(second, 'GET', '/v1/users/me', { token });
    await call(first, 'POST', '/v1/auth/logout', { token });
    delays.push(await untilRefused(second, token));
  }
  const { p50, p99 } = percentiles(delays);
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
    const response = await fetch(`${gateway}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    const elapsedMs = performance.now() - begun;
    if (response.status === 401) return elapsedMs;
    if (elapsedMs > deadlineMs) throw new Error('a revoked token was still accepted after ten seconds');
  }
}
