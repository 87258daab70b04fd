/**
 * The two queues of mails in each sender. Announcements go to many people at once, so they wait for all other mail. The
 * two queues share only the connections to the mail server.
 */
export const lanes = ['transactional', 'announcement'] as const;
export type Lane = (typeof lanes)[number];
