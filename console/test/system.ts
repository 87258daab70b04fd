import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@storefront/stack';
import { memoryLogger } from '@storefront/testing';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { findChromium } from '../../services/identity/test/chromium.ts';
import { patient } from '../../test/patient.ts';

export const executablePath = findChromium();
const noChromium = 'There is no Chromium on this machine; install one, or name one by CHROMIUM_PATH.';
export const orWhyNot = executablePath === null ? `: ${noChromium}` : '';

/** `npm run proof` takes both themes at both widths, `npm test` the first one. */
export const isProof = inject('isProof');
export const views = (
  [
    ['dark', 390],
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const
).slice(0, isProof ? 4 : 1);

export interface StartedConsole {
  readonly stack: Stack;
  readonly browser: Browser;
  /** Its address. */
  readonly console: string;
}

/** A whole system with demo data, and a browser. */
export async function startConsole(opened: AsyncDisposableStack): Promise<StartedConsole> {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-console-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const stack = await startStack({
    env: {
      PORT: '0',
      MAILBOX_PORT: '0',
      PAYMENTS_PORT: '0',
      RATE_LIMITS: 'off',
      ...patient,
      MONGODB_URL: inject('mongodbUrl'),
    },
    dataDir,
    bus: 'in-process',
    console: true,
    databasePrefix: `console_${randomBytes(4).toString('hex')}_`,
    loggerOf: () => memoryLogger().logger,
  });
  opened.defer(() => stack.close());
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-proxy-server', '--no-sandbox'],
  });
  opened.defer(() => browser.close());
  return { stack, browser, console: stack.console ?? '' };
}
