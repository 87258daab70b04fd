/** How many facts are taken off the queue at once, and stored together. */
export const factsAtOnce = 500;
