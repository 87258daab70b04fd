import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps the mails that it accepts. A test can have it refuse, delay and go away. */
export async function startMailServer({ pipelining = true } = {}) {
  const received: { readonly to: readonly string[]; readonly mail: Email }[] = [];
  const self = {
    url: '',
    received,
    /** How it answers a recipient: null accepts it, else a code such as 550. */
    answerRecipient: (_address: string): number | null => null,
    /** Called before each mail is accepted; it is accepted once this resolves. */
    beforeTaking: async (_to: readonly string[]): Promise<void> => undefined,
    /** Whether it drops the connection when such a mail begins (`content`), or has come whole (`end`). */
    dropsAt: (_to: readonly string[]): 'content' | 'end' | null => null,
    to: (address: string) => received.filter(({ to }) => to.includes(address)).map(({ mail }) => mail),
    stop: () => stop(),
    start: () => listen(port),
  };
  let port = 0;
  let server: SMTPServer | undefined;

  async function take(to: readonly string[], stream: Readable, drop: () => void): Promise<void> {
    const dropsAt = self.dropsAt(to);
    if (dropsAt === 'content') drop();
    received.push({ to, mail: await PostalMime.parse(await buffer(stream)) });
    if (dropsAt === 'end') drop();
    await self.beforeTaking(to);
  }

  async function listen(at: number): Promise<void> {
    server = new SMTPServer({
      hidePIPELINING: !pipelining,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      logger: false,
      onRcptTo({ address }, _session, answer) {
        const code = self.answerRecipient(address);
        answer(code === null ? null : Object.assign(new Error('not here'), { responseCode: code }));
      },
      onData(stream, session, answer) {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const drop = () => {
          for (const connection of server?.connections ?? [])
            if (connection.id === session.id) connection._socket.destroy();
        };
        take(to, stream, drop).then(
          () => answer(null),
          (error: Error) => answer(error),
        );
      },
    });
    server.on('error', () => undefined);
    server.listen(at, '127.0.0.1');
    await once(server.server, 'listening');
    port = (server.server.address() as AddressInfo).port;
    self.url = `smtp://127.0.0.1:${port}`;
  }

  function stop(): Promise<void> {
    return new Promise((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  await listen(0);
  return self;
}
