import { Counter, Histogram, type Registry } from '@storefront/process';

export interface SendingMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly handover: Histogram;
}

export function createSendingMetrics(registry: Registry): SendingMetrics {
  return {
    attempts: new Counter({
      name: 'mail_attempts_total',
      help: 'Tries to hand a mail to the mail server, by what it said',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    handover: new Histogram({
      name: 'mail_handover_seconds',
      help: 'Time from the request of a mail to the mail server taking it, where the first try succeeded',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry],
    }),
  };
}
