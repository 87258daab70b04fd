import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'amqplib';

/** Waits until a client can connect and returns the server's version. Rejects when the signal is aborted. */
export async function untilRabbitmqAnswers(url: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const connection = await connect(url, { timeout: 2_000 });
      connection.on('error', () => undefined);
      const { version } = connection.connection.serverProperties;
      await connection.close();
      return version;
    } catch {
      await wait(30);
    }
  }
}
