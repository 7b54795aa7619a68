/** How often and how long a one-time password may be tried (D-20). */
export const oneTimePasswordLimits = {
  digits: 6,
  validMs: 5 * 60_000,
  /** How much longer it may seem to be valid: the clocks of two processes differ. More says that the clock was set back. */
  skewMs: 60_000,
  triesPerToken: 5,
  /** In a row, over all tokens of a user; then the user waits for `lockMs`. */
  consecutiveFailures: 10,
  lockMs: 15 * 60_000,
} as const;
