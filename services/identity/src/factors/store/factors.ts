import {
  byId,
  defineCollection,
  openRepository,
  withEvents,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { factorRules, storedFactors, type Factors } from '../domain/factors.ts';

export const factors = defineCollection('factors', { ...withEvents, ...storedFactors.shape }, { sharding: byId });

export interface FactorStore extends Repository<Factors> {
  /**
   * Counts a try of a code in one atomic write. Returns false, and counts nothing, where there were too many tries
   * within the window, or `maxInRow` tries since the last proof.
   */
  countTry(userId: string, now: Date, maxInRow: number): Promise<boolean>;
}

/** The factors of each user, in one document whose id is the user's. */
export function openFactorStore(needs: RepositoryNeeds): FactorStore {
  const repository = openRepository<Factors>(factors, needs);
  return {
    ...repository,
    async countTry(userId, now, maxInRow) {
      const { matchedCount } = await repository.collection.updateOne(
        {
          _id: userId,
          // If as many tries are stored as the window allows, the oldest of them must be older than the window.
          [`codeTries.${factorRules.tries - 1}`]: { $not: { $gt: new Date(now.getTime() - factorRules.windowMs) } },
          triesInRow: { $lt: maxInRow },
        },
        {
          $inc: { version: 1, triesInRow: 1 },
          $push: { codeTries: { $each: [now], $position: 0, $slice: factorRules.tries } },
        },
      );
      return matchedCount === 1;
    },
  };
}
