// In place of the program that decodes pictures: does what its standard input says.
import { text } from 'node:stream/consumers';

process.once('disconnect', () => process.exit());

const doing: Readonly<Record<string, () => void>> = {
  answer: () => process.send?.({ refused: 'not-supported' }),
  crash: () => process.abort(),
  fail: () => {
    throw new Error('there is no binary for this platform');
  },
  environment: () => process.send?.({ refused: process.env['SECRET_OF_THE_SERVICE'] ? 'unreadable' : 'not-supported' }),
  hang: () => setInterval(() => undefined, 1000),
};
doing[await text(process.stdin)]?.();
