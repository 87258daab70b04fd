/** A filter of a list, as the query of its operation has it. */
export interface FilterField {
  readonly name: string;
  /** `date` is a time, of which one chooses the day; `day` is a day of the calendar. */
  readonly kind: 'text' | 'choice' | 'flag' | 'date' | 'day';
  readonly choices?: readonly string[];
}

/** What the console knows of an operation. */
export interface OperationInfo {
  readonly method: string;
  readonly path: string;
  /** The staff who may call it; empty where everybody may who is logged in. */
  readonly staff: readonly string[];
  readonly filters?: readonly FilterField[];
}

/** Whether somebody of this role may call the operation as staff. */
export const isFor = (info: OperationInfo | undefined, role: string): boolean =>
  info !== undefined && (info.staff.length === 0 || info.staff.includes(role));
