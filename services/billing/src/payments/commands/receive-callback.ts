import { billingErrors, changed, commonErrors, newId, unchanged } from '@storefront/contracts';
import type { Headers, Provider } from '../../providers/provider.ts';
import { receivedCallback, refusedCallback, repeatedCallback, type Callback } from '../domain/callback.ts';
import { keepRefused } from '../domain/refusals.ts';
import type { Callbacks } from '../store/callbacks.ts';

interface Needs {
  readonly callbacks: Callbacks;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly now: () => Date;
}

interface Received {
  readonly provider: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly address: string;
}

export type ReceiveCallback = (received: Received) => Promise<void>;

/**
 * Stores the callback of a provider; it is processed later. The signature of the raw bytes is checked before the body
 * is read. Throws `route_not_found` if the provider is not configured, and `bad_signature` and `stale_signature`. At
 * most 30 refused callbacks a minute are stored.
 */
export function createCallbackReceiver({ callbacks, providers, now }: Needs): ReceiveCallback {
  let refusals = { minute: 0, count: 0 };

  return async ({ provider: name, headers, body, address }) => {
    const provider = providers.get(name);
    if (!provider) throw commonErrors.routeNotFound();
    const sent = { provider: name, address, body, now: now() };
    const verdict = provider.verify(headers, body, sent.now);
    if (verdict !== 'ok') {
      const { isKept, kept } = keepRefused(refusals, sent.now);
      refusals = kept;
      if (isKept) await add(refusedCallback(newId('cbk'), sent, verdict));
      throw verdict === 'stale' ? billingErrors.staleSignature() : billingErrors.badSignature();
    }
    const bodyKept = provider.keep(body);
    const translation = provider.translate(bodyKept);
    const { callback, facts } = receivedCallback(sent, translation.kind === 'malformed' ? null : translation, bodyKept);
    // Most callbacks come only once. `null` says that the document is most likely new, which saves a read.
    // Callbacks of the same moment are written with one command.
    const { result: known } = await callbacks.change<Callback | null>(
      callback.id,
      (found) => (found === null ? changed(callback, facts, null) : unchanged(found)),
      null,
    );
    if (known !== null) await add(repeatedCallback(newId('cbk'), sent, known));
  };

  async function add(callback: Callback): Promise<void> {
    await callbacks.change(callback.id, () => changed(callback, []), null);
  }
}
