/** Counts the bytes of bodies and messages that are not yet whole. */
export interface BodyRoom {
  /** False where there is no room for that many more. */
  hold(count: number): boolean;
  release(count: number): void;
  /** Bytes that are held now. */
  readonly held: number;
}

export function createBodyRoom(bytesMax: number): BodyRoom {
  let held = 0;
  return {
    hold(count) {
      if (held + count > bytesMax) return false;
      held += count;
      return true;
    },
    release(count) {
      held -= count;
    },
    get held() {
      return held;
    },
  };
}
