import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly body: string;
  readonly signature: string;
}

export interface Receiver {
  readonly url: string;
  /** The callbacks in the order in which they came, the refused ones too. */
  readonly received: readonly Received[];
  /** What the next callbacks are answered, one after the other; 200 after that. */
  answer(...statuses: readonly (number | 'never')[]): void;
  close(): Promise<void>;
}

/** A shop that takes callbacks, as a real HTTP server. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const answers: (number | 'never')[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      received.push({ body, signature: String(request.headers['payment-signature']) });
      const answer = answers.shift() ?? 200;
      if (answer !== 'never') response.writeHead(answer).end('{}');
    })();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/payments/callbacks/demo`,
    received,
    answer: (...statuses) => void answers.push(...statuses),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether the secret made the signature, at most a minute ago. Made here on its own, not by the provider's code. */
export function isSigned({ body, signature }: Received, secret: string): boolean {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return mac === expected && Math.abs(Date.now() / 1000 - Number(seconds)) < 60;
}
