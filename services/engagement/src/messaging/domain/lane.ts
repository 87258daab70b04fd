/**
 * The two queues of mails in each sender. Announcements go to many people at once, and wait for all other mail. The
 * lanes have nothing in common but the connections to the mail server.
 */
export const lanes = ['transactional', 'announcement'] as const;
export type Lane = (typeof lanes)[number];
