import { createInternalTokenIssuer } from '@storefront/access-token';
import {
  identityInternalOperations,
  operations,
  serviceNames,
  type Operations,
  type OperationSpec,
  type ServiceName,
} from '@storefront/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSecrets } from '../../../stack/src/secrets.ts';
import { sendRaw, statuses } from '../system/raw.ts';
import { spellings } from '../system/spellings.ts';
import type { System } from '../system/system.ts';
import type { Attacked } from './attacked.ts';

let system: System;
let tokens: ReturnType<typeof createInternalTokenIssuer>;
let before: Record<string, string>;

interface Attack {
  readonly what: string;
  readonly method: string;
  readonly target: string;
}

const untilClosed = { quietMs: 60_000 };
const ids: Readonly<Record<string, string>> = {
  userId: 'user_01h455vb4pex5vsknk084sn02q',
  sessionId: 'sess_01h455vb4pex5vsknk084sn02q',
};
const filled = ({ path }: OperationSpec) => path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'x');
// No gateway publishes those that are for gateways only.
const internal: Partial<Record<ServiceName, Operations>> = { identity: identityInternalOperations };
const operationsOf = (service: ServiceName): OperationSpec[] =>
  Object.values<OperationSpec>({ ...operations[service], ...internal[service] });

/** Every operation of the service in every spelling, the plain one and `HEAD` included. */
function attacksOn(service: ServiceName): Attack[] {
  return operationsOf(service).flatMap((spec) => {
    const path = filled(spec);
    const plain = [spec.method, 'HEAD', 'OPTIONS'].map((method) => ({ what: 'plainly', method, target: path }));
    const spelt = spellings.map(({ what, write }) => ({ what, method: spec.method, target: write(path) }));
    return [...plain, ...spelt];
  });
}

async function send(service: ServiceName, { method, target }: Attack, ...lines: string[]): Promise<string> {
  const body = method === 'GET' || method === 'HEAD' ? '' : '{}';
  const head = ['Host: x', 'Connection: close', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  const bytes = `${[`${method} ${target} HTTP/1.1`, ...head, ...lines].join('\r\n')}\r\n\r\n${body}`;
  return sendRaw(system.services[service] ?? '', bytes, untilClosed);
}

export function testServicePorts(attacked: () => Attacked): void {
  beforeAll(async () => {
    ({ system } = attacked());
    tokens = createInternalTokenIssuer((await openSecrets(system.dataDir)).internalKey.privateJwk);
    before = await system.fingerprint();
  });

  describe.each(serviceNames)('at the port of %s', (service) => {
    it('no route is reached without the internal token, however it is written', async () => {
      const left = attacksOn(service);
      const open: string[] = [];
      const worker = async () => {
        for (let attack = left.pop(); attack; attack = left.pop()) {
          const received = await send(service, attack);
          const [status, ...more] = statuses(received);
          const isRefused = status === undefined ? received === '' : status >= 400 && status < 500;
          if (!isRefused || more.length > 0)
            open.push(`${attack.method} ${attack.target} (${attack.what}): ${received.slice(0, 200)}`);
        }
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      expect(open).toEqual([]);
    });

    it('what is written plainly is refused for its missing token, and for one of another service', async () => {
      const foreign = `X-Internal-Token: ${await tokens.issue(service === 'health' ? 'account' : 'health', null)}`;
      for (const spec of operationsOf(service)) {
        const attack = { what: 'plainly', method: spec.method, target: filled(spec) };
        for (const received of [await send(service, attack), await send(service, attack, foreign)]) {
          expect(statuses(received), spec.id).toEqual([403]);
          expect(received, spec.id).toContain('"code":"gateway_only"');
        }
      }
    });

    it('only the probes are open', async () => {
      for (const target of ['/livez', '/readyz', '/metrics'])
        expect(statuses(await send(service, { what: 'plainly', method: 'GET', target })), target).toEqual([200]);
    });
  });

  it('the token is what was missing: with it the gateway reads the revocations', async () => {
    const attack = { what: 'plainly', method: 'GET', target: '/internal/revocations' };
    const received = await send('identity', attack, `X-Internal-Token: ${await tokens.issue('identity', null)}`);
    expect(statuses(received)).toEqual([200]);
  });

  it('nothing was written', async () => {
    expect(await system.fingerprint()).toEqual(before);
  });
}
