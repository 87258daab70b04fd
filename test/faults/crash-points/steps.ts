/** Where the program of `publisher-and-consumer.ts` can die, in the order of an event's way. */
export const steps = [
  'written',
  'publishing',
  'confirmed',
  'pulled',
  'delivered',
  'effected',
  'acknowledging',
] as const;
export type Step = (typeof steps)[number];

/** What the program is told, as JSON in its only argument. */
export interface Told {
  readonly mongodbUrl: string;
  readonly amqpUrl: string;
  /** The order that this run is about; made by the first program that runs. */
  readonly orderId: string;
  readonly dieAt?: Step;
}
