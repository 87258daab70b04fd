import { demoProvider } from './demo.ts';
import type { Provider } from './provider.ts';
import { stripeProvider } from './stripe.ts';

interface Settings {
  readonly PAYMENT_PROVIDERS: readonly ('demo' | 'stripe')[];
  readonly DEMO_PAYMENT_SECRETS?: readonly string[] | undefined;
  readonly DEMO_PAYMENT_URL?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRETS?: readonly string[] | undefined;
  readonly STRIPE_API_KEY?: string | undefined;
}

/**
 * All providers that can be configured. The configuration has already checked that a listed provider has the settings
 * that it needs.
 */
const providers: Readonly<Record<Settings['PAYMENT_PROVIDERS'][number], (settings: Settings) => Provider>> = {
  demo: (settings) =>
    demoProvider({ secrets: settings.DEMO_PAYMENT_SECRETS ?? [], url: settings.DEMO_PAYMENT_URL ?? '' }),
  stripe: (settings) =>
    stripeProvider({ secrets: settings.STRIPE_WEBHOOK_SECRETS ?? [], apiKey: settings.STRIPE_API_KEY }),
};

/** The configured providers by name, in the configured order. Callbacks of other providers are refused. */
export function configuredProviders(settings: Settings): ReadonlyMap<string, Provider> {
  return new Map(settings.PAYMENT_PROVIDERS.map((name) => [name, providers[name](settings)]));
}
