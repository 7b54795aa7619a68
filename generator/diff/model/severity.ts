/** The parties of an interface: those who call it, those who write its handlers, and those who receive its events. */
export const parties = ["callers", "implementers", "receivers"] as const;
export type Party = (typeof parties)[number];

/**
 * The effect of a change on a party. `breaking`: what was right before is refused, misread, no longer compiles or no
 * longer does what the interface says. `warning`: it may surprise those who relied on more than was promised. `info`:
 * nothing has to be done.
 */
export const severities = ["info", "warning", "breaking"] as const;
export type Severity = (typeof severities)[number];

/** Which part of a version number moves. */
export const bumps = ["patch", "minor", "major"] as const;
export type Bump = (typeof bumps)[number];

/** Where a value travels: to the service, back from it, or in a notification. */
export const directions = ["request", "response", "event"] as const;
export type Direction = (typeof directions)[number];

export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(threshold);
}

export function worst(found: readonly Severity[]): Severity {
  return severities.findLast((severity) => found.includes(severity)) ?? "info";
}

export function biggest(found: readonly Bump[]): Bump | undefined {
  return bumps.findLast((bump) => found.includes(bump));
}
