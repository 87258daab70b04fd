import { setTimeout as wait } from 'node:timers/promises';

/** Begins so many at an even rate, however long the answers take. Returns how long each took in milliseconds. */
export async function sendAtRate(
  { count, aSecond }: { readonly count: number; readonly aSecond: number },
  send: (at: number) => Promise<unknown>,
): Promise<number[]> {
  const begun = performance.now();
  const sent: Promise<number>[] = [];
  for (let at = 0; at < count; at += 1) {
    const due = begun + (at * 1000) / aSecond;
    await wait(Math.max(0, due - performance.now()));
    // From when it was due: a sender that is late itself must not make the answers look quicker.
    sent.push(send(at).then(() => performance.now() - due));
  }
  return Promise.all(sent);
}
