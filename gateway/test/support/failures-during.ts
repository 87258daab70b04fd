/**
 * Reads and writes without pause from 8 callers while `meanwhile` runs; resolves to the responses that were not 200.
 * `keyOf` gives a write its idempotency key; without it, what is cut off is not sent again.
 */
export async function failuresDuring(
  url: string,
  meanwhile: () => Promise<void>,
  keyOf?: (caller: number, call: number) => string,
): Promise<string[]> {
  const failed: string[] = [];
  let isOver = false;
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let call = 0; !isOver; call += 1) {
      const headers = {
        'content-type': 'application/json',
        ...(keyOf && { 'idempotency-key': keyOf(caller, call) }),
      };
      const response = await fetch(`${url}/v1/products`, call % 2 === 0 ? { method: 'POST', body: '{}', headers } : {});
      const body = await response.text();
      if (response.status !== 200) failed.push(`${response.status} ${body}`);
    }
  });
  try {
    await meanwhile();
  } finally {
    isOver = true;
    await Promise.all(callers);
  }
  return failed;
}
