/**
 * Does the work of numbers from 0 on, for `clients` at a time: each begins the next one as soon as its last one is done.
 * Returns how long each took in milliseconds, and all of them together in seconds.
 */
export async function sendAtOnce(
  { count, clients }: { readonly count: number; readonly clients: number },
  send: (at: number) => Promise<unknown>,
): Promise<{ readonly milliseconds: number[]; readonly seconds: number }> {
  const milliseconds: number[] = [];
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) {
        const sent = performance.now();
        await send(next++);
        milliseconds.push(performance.now() - sent);
      }
    }),
  );
  return { milliseconds, seconds: (performance.now() - begun) / 1000 };
}
