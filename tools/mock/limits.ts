/** The longest time that a mock holds an answer back. */
export const latencyMsMax = 600_000;
