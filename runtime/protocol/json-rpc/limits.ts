/** Limits on one message, whatever carries it. */
export interface MessageLimits {
  /** Bytes of a message. Default 1 MiB. */
  readonly bytes: number;
  /** Nesting of objects and arrays; the outermost value is at depth 1. Default 64, at most 512. */
  readonly depth: number;
}

const defaultMessageLimits: MessageLimits = { bytes: 1024 * 1024, depth: 64 };

/** Deeper messages could exhaust the stack of the scanner and of what handlers do with the values. */
const depthMost = 512;

/** @throws RangeError where a limit is no positive integer, or the depth is more than 512. */
export function messageLimits(chosen: Partial<MessageLimits> = {}): MessageLimits {
  const limits = { ...defaultMessageLimits, ...chosen };
  for (const [name, value] of [
    ["messageBytes", limits.bytes],
    ["depth", limits.depth],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`limits.${name} is ${value}: give a positive integer`);
  }
  if (limits.depth > depthMost)
    throw new RangeError(`limits.depth is ${limits.depth}: give at most ${depthMost}`);
  return limits;
}
