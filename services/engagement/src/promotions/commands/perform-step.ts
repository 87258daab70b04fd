import { notFound } from '@storefront/contracts';
import type { Redemption } from '../domain/redemptions/redemption.ts';
import type { Step } from '../domain/redemptions/steps.ts';
import type { Redemptions } from '../store/redemptions.ts';
import type { StepResult } from './work-off-steps.ts';

/** Does a step together with others of the same moment, and returns what became of it. */
export type PerformStep = (step: Step) => Promise<StepResult>;

export interface PerformingNeeds {
  readonly redemptions: Pick<Redemptions, 'load'>;
  readonly perform: PerformStep;
}

/** Does a step about one redemption and returns that as it is afterwards. Throws why the step was refused. */
export async function performStep(
  { redemptions, perform }: PerformingNeeds,
  step: Step,
): Promise<{ readonly redemption: Redemption; readonly isNew: boolean }> {
  const result = await perform(step);
  if (result.kind === 'refused') throw result.refusal;
  if (result.kind === 'changed') return result;
  const redemption = result.kind === 'unchanged' ? await redemptions.load(result.id) : null;
  if (!redemption) throw notFound('redemption');
  return { redemption, isNew: false };
}
