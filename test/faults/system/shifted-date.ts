/**
 * From now on the wall clock of this process, `Date`, is shifted by the milliseconds that the returned function was called with
 * last. Timers and `performance.now()` are monotonic and stay as they are.
 */
export function shiftDate(): (milliseconds: number) => void {
  const SystemDate = Date;
  const systemNow = SystemDate.now;
  let shiftMs = 0;
  const now = () => systemNow() + shiftMs;
  SystemDate.now = now;
  const ShiftedDate = new Proxy(SystemDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
    apply: () => new SystemDate(now()).toString(),
  });
  SystemDate.prototype.constructor = ShiftedDate;
  globalThis.Date = ShiftedDate;
  return (milliseconds) => {
    shiftMs = milliseconds;
  };
}
