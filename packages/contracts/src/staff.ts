/** The roles of those who work for the shop. An administrator may do everything that one of the others may. */
export const staffRoles = ['admin', 'catalog', 'marketing', 'sales', 'support'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Whether somebody with this role works for the shop. */
export function isStaff(role: string | null | undefined): role is StaffRole {
  return staffRoles.some((one) => one === role);
}
