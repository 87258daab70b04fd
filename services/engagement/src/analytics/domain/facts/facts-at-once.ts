/** How many facts are taken from the queue and stored together. */
export const factsAtOnce = 500;
