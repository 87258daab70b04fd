import { createIsbotFromList, isbotPatterns, list } from 'isbot';

// Libraries by which apps and the servers of shops send requests for people; robots that use them mostly say who they are, too.
const senders = [
  'axios/1.6.0',
  'curl/8.5.0',
  'Dart/3.2 (dart:io)',
  'Go-http-client/2.0',
  'Java/21.0.1',
  'node',
  'node-fetch',
  'okhttp/4.9.0',
  'python-requests/2.31.0',
  'undici',
];
const patternsOfSenders = new Set(senders.flatMap(isbotPatterns));
const isRobotsName = createIsbotFromList(list.filter((pattern) => !patternsOfSenders.has(pattern)));

/** Whether a `User-Agent` is that of a robot, such as a crawler. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && isRobotsName(userAgent);
}
