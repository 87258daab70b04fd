/**
 * How often each value was counted, with 2 bytes for the code of the value and 4 bytes for the number of times. The
 * smallest code comes first. To compute a median, thousands of packed values are read. Documents with a field for each
 * value would take ten times as long.
 */
export type PackedValues = Uint8Array;

const entryBytes = 6;
const perDecade = 90;
/** Values smaller than 10 to the power of `leastExponent` count as 0. */
const leastExponent = -20;

/**
 * The code of a value. The code keeps two significant digits, and greater values have greater codes. Negative values
 * get the code 0. A negative value can occur because the clocks of two machines differ.
 */
export function codeOf(value: number): number {
  const [digits = '0', exponent = '0'] = Math.max(value, 0).toExponential(1).split('e');
  const [twoDigits, decade] = [Math.round(Number(digits) * 10), Number(exponent) - leastExponent];
  return twoDigits === 0 || decade < 0 ? 0 : decade * perDecade + twoDigits - 9;
}

function valueOf(code: number): number {
  if (code === 0) return 0;
  const [decade, place] = [Math.floor((code - 1) / perDecade), (code - 1) % perDecade];
  return Number(`${place + 10}e${decade + leastExponent - 1}`);
}

/** Packs the counts. The names in `counts` are the codes. The same counts always give the same bytes. */
export function packValues(counts: Readonly<Record<string, number>>): PackedValues {
  const entries = Object.entries(counts)
    .filter(([, times]) => times !== 0)
    .map(([code, times]) => ({ code: Number(code), times }))
    .sort((one, other) => one.code - other.code);
  const packed = new DataView(new ArrayBuffer(entries.length * entryBytes));
  for (const [at, { code, times }] of entries.entries()) {
    packed.setUint16(at * entryBytes, code);
    packed.setInt32(at * entryBytes + 2, times);
  }
  return new Uint8Array(packed.buffer);
}

export function unpackValues(packed: PackedValues): Record<string, number> {
  return Object.fromEntries(countsIn([packed]));
}

/** The median of all values, or the mean of the two middle values. null where there are no values. */
export function medianOf(all: readonly PackedValues[]): number | null {
  const counts = [...countsIn(all)].filter(([, times]) => times > 0).sort(([one], [other]) => one - other);
  const total = counts.reduce((sum, [, times]) => sum + times, 0);
  if (total === 0) return null;

  function valueAt(place: number): number {
    let left = place;
    for (const [code, times] of counts) {
      if (left < times) return valueOf(code);
      left -= times;
    }
    return Number.NaN;
  }
  return (valueAt(Math.floor((total - 1) / 2)) + valueAt(Math.floor(total / 2))) / 2;
}

function countsIn(all: readonly PackedValues[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const packed of all) {
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    for (let at = 0; at < packed.byteLength; at += entryBytes) {
      const code = view.getUint16(at);
      counts.set(code, (counts.get(code) ?? 0) + view.getInt32(at + 2));
    }
  }
  return counts;
}
