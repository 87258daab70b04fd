import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

// Fills some 200 MB with what nobody needs any more, then waits until V8 has given most of it back.
const program = `
  import { setTimeout as wait } from 'node:timers/promises';
  import { giveMemoryBackWhenIdle } from '${new URL('../src/give-memory-back.ts', import.meta.url).href}';
  giveMemoryBackWhenIdle();
  let objects = [];
  for (let n = 0; n < 3_000_000; n += 1) objects.push({ n });
  objects = undefined;
  const full = process.memoryUsage().heapTotal;
  while (process.memoryUsage().heapTotal > full / 4) await wait(500);
  process.stdout.write(String(Math.round(full / 2 ** 20)));
`;

it(
  'an idle process gives the memory of its load back, which V8 alone does not do for 100 s',
  { timeout: 60_000 },
  async () => {
    // 8 s is V8's default.
    const options = ['--gc-memory-reducer-start-delay-ms=500', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, options, { timeout: 40_000 });
    const [full, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code, 'the heap of an idle process is as large as under load').toBe(0);
    expect(Number(full)).toBeGreaterThan(100);
  },
);
