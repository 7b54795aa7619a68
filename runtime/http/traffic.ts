/** What a port is busy with, and whether it is closing. */
export interface Traffic {
  closing: boolean;
  inFlight: number;
  /** Called when the last request in flight was answered. */
  onIdle: (() => void) | undefined;
}

export function createTraffic(): Traffic {
  return { closing: false, inFlight: 0, onIdle: undefined };
}
