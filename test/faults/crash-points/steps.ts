/** The steps at which `publisher-and-consumer.ts` can be killed, in the order in which an event passes them. */
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

/** The input of that program, as JSON in its argument. */
export interface ProgramInput {
  readonly mongodbUrl: string;
  readonly amqpUrl: string;
  /** The order that the program creates, unless it exists. */
  readonly orderId: string;
  readonly killAt?: Step;
}
