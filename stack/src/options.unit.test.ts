import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { portOf, readOptions, UsageError } from './options.ts';

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions([], { DATA_DIR: '/somewhere' })).toEqual({
      help: false,
      json: false,
      gateways: 1,
      instances: 1,
      bus: undefined,
      separate: false,
      storefront: true,
      empty: false,
      history: undefined,
      restore: undefined,
      dataDir: '/somewhere',
    });
  });

  it('are read', () => {
    const counts = ['--gateways', '2', '--instances', '3'];
    const options = readOptions(['--json', ...counts, '--bus=rabbitmq', '--separate', '--empty'], {});
    expect(readOptions(['--no-storefront'], {})).toMatchObject({ storefront: false });
    expect(readOptions(['--history'], {})).toMatchObject({ history: 40_000, empty: false });
    expect(readOptions(['--history', '--facts', '1000'], {})).toMatchObject({ history: 1000 });
    expect(readOptions(['--restore', '/monday'], {}).restore).toEqual({ folder: '/monday', force: false });
    expect(readOptions(['--restore', 'backups/monday', '--force'], {}).restore).toEqual({
      folder: resolve('backups/monday'),
      force: true,
    });
    expect(options).toMatchObject({
      json: true,
      gateways: 2,
      instances: 3,
      bus: 'rabbitmq',
      separate: true,
      empty: true,
    });
  });

  it.each([
    [['--jsno'], "Unknown option '--jsno'."],
    [['extra'], "Unexpected argument 'extra'."],
    [['--gateways'], "Option '--gateways <value>' argument missing."],
    [['--gateways', 'two'], '--gateways takes a number from 1 to 32, not "two".'],
    [['--gateways', '0'], '--gateways takes a number from 1 to 32, not "0".'],
    [['--instances', '9'], '--instances takes a number from 1 to 8, not "9".'],
    [['--bus', 'kafka'], '--bus takes in-process or rabbitmq, not "kafka".'],
    [
      ['--separate', '--bus', 'in-process'],
      '--separate needs RabbitMQ: the in-process bus ends at the border of a process.',
    ],
    [
      ['--restore', 'monday', '--bus', 'in-process'],
      '--restore needs RabbitMQ: the events of a backup go through its queues.',
    ],
    [['--force'], '--force belongs to --restore.'],
    [['--facts', '1000'], '--facts is the size of a --history.'],
    [['--history', '--facts', 'many'], '--facts takes a number from 1 to 10000000, not "many".'],
    [['--history', '--bus', 'in-process'], '--history needs RabbitMQ: its events go through a queue.'],
    [['--history', '--empty'], '--history is of the demo shop, which --empty leaves out.'],
  ])('refuse %j with a message', (args, sentence) => {
    expect(() => readOptions(args, {})).toThrow(new UsageError(sentence));
  });
});

describe('a port from the environment', () => {
  it('is a number, or absent', () => {
    expect([portOf({ PORT: '0' }, 'PORT'), portOf({ PORT: '4000' }, 'PORT'), portOf({ PORT: '' }, 'PORT')]).toEqual([
      0,
      4000,
      undefined,
    ]);
  });

  it.each(['65536', '-1', '3000x', 'http'])('is refused when it is %s', (text) => {
    expect(() => portOf({ PORT: text }, 'PORT')).toThrow(`PORT must be a port from 0 to 65535, not "${text}".`);
  });
});
