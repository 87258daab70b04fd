/** What an attacker sees of one request among many that were sent at once. */
export interface Observation {
  readonly isKnown: boolean;
  readonly batch: number;
  /** What may distinguish the sides, by name. */
  readonly features: Readonly<Record<string, number>>;
}

interface Classifier {
  readonly feature: string;
  readonly threshold: number;
  /** Whether what is above the threshold is taken as known. */
  readonly aboveIsKnown: boolean;
}

const stepMs = 50;

/** The observations of one batch. `ms` is the time from sending to the end of the answer. */
export function observe(batch: number, answers: readonly { isKnown: boolean; ms: number }[]): Observation[] {
  const sorted = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return answers.map(({ isKnown, ms }) => ({
    isKnown,
    batch,
    features: {
      'the time': ms,
      'the time beyond the last whole step': ms % stepMs,
      'the time beside the others of the batch': ms - middle,
      'the place among the answers of the batch': sorted.indexOf(ms),
    },
  }));
}

/**
 * How often the best classifier is right: it is chosen on one half of the batches, out of all features and thresholds, and judged
 * on the other half, of which it knows nothing; then the halves change places. By chance it is right half of the time.
 */
export function successOf(observations: readonly Observation[]): { success: number; feature: string } {
  const halves = [0, 1].map((remainder) => observations.filter(({ batch }) => batch % 2 === remainder));
  const results = halves.map((judged, at) => {
    const best = bestOf(halves[1 - at] ?? []);
    const right = judged.filter((each) => isTakenAsKnown(best, each) === each.isKnown).length;
    return { right, feature: best.feature };
  });
  return {
    success: results.reduce((sum, { right }) => sum + right, 0) / observations.length,
    feature: results.map(({ feature }) => feature).join(', and by '),
  };
}

function isTakenAsKnown({ feature, threshold, aboveIsKnown }: Classifier, { features }: Observation): boolean {
  return (features[feature] ?? Number.NaN) > threshold === aboveIsKnown;
}

function bestOf(observations: readonly Observation[]): Classifier {
  const features = Object.keys(observations[0]?.features ?? {});
  const all = features.flatMap((feature) => classifiersBy(feature, observations));
  const best = all.toSorted((one, other) => other.right - one.right)[0];
  if (!best) throw new RangeError('there is nothing to learn from');
  return best.classifier;
}

/** A classifier for each threshold, with how often it is right. */
function classifiersBy(feature: string, observations: readonly Observation[]) {
  const value = ({ features }: Observation) => features[feature] ?? Number.NaN;
  // With the threshold below all of them, all are taken as known.
  let right = observations.filter(({ isKnown }) => isKnown).length;
  return observations
    .toSorted((one, other) => value(one) - value(other))
    .flatMap((observation) => {
      right += observation.isKnown ? -1 : 1;
      const threshold = value(observation);
      return [
        { classifier: { feature, threshold, aboveIsKnown: true }, right },
        { classifier: { feature, threshold, aboveIsKnown: false }, right: observations.length - right },
      ];
    });
}
