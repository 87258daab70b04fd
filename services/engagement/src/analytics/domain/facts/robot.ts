import { createIsbotFromList, isbotPatterns, list } from 'isbot';

// Apps and servers of shops send requests for people with these libraries, so their names do not mean a robot. Robots
// that use these libraries mostly name themselves as well.
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

/** Whether a `User-Agent` header names a robot, such as a crawler. */
export function isRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && isRobotsName(userAgent);
}
