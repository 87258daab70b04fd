import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The steps of a mail: its sender has connected, has sent the whole mail, or has received the confirmation. */
export type MailStep = 'connected' | 'sent' | 'taken';

/** A minimal SMTP server that accepts mails and reports each step before it continues. */
export async function startMailServer(onStep: (step: MailStep) => void) {
  const taken: string[] = [];
  const server = createServer((socket) => {
    let mail: string | undefined;
    let incomplete = '';
    const send = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {});
    onStep('connected');
    send('220 test');
    socket.on('data', (chunk) => {
      const lines = (incomplete + chunk.toString()).split('\r\n');
      incomplete = lines.pop() ?? '';
      for (const line of lines) {
        if (mail === undefined) {
          if (line === 'DATA') mail = '';
          send(line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 well');
        } else if (line === '.') {
          onStep('sent');
          taken.push(/^Message-ID: <([^>]+)>/im.exec(mail)?.[1] ?? '');
          mail = undefined;
          send('250 taken');
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
