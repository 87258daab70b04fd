import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Where a mail is on its way: its sender has connected, has sent all of it, or has been told that it is taken. */
export type MailStep = 'connected' | 'sent' | 'taken';

/** Just enough of SMTP to take mails and to tell of each step, before it goes on. */
export async function startMailServer(onStep: (step: MailStep) => void) {
  const taken: string[] = [];
  const server = createServer((socket) => {
    let mail: string | undefined;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {});
    onStep('connected');
    say('220 test');
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (mail === undefined) {
          if (line === 'DATA') mail = '';
          say(line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 well');
        } else if (line === '.') {
          onStep('sent');
          taken.push(/^Message-ID: <([^>]+)>/im.exec(mail)?.[1] ?? '');
          mail = undefined;
          say('250 taken');
          onStep('taken');
        } else mail += `${line}\r\n`;
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The `Message-ID` of each mail that was taken. */
    taken,
    close: () => server.close(),
  };
}
