/**
 * Settings of a system that is tested on a machine with much else to do: slow answers are waited for, where a gateway would
 * otherwise refuse in their place.
 */
export const patient = { UPSTREAM_TIMEOUT_MS: '60000', MAX_EVENT_LOOP_DELAY_MS: '0' };
