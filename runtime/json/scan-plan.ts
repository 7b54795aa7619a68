/** The JSON that a protocol accepts. */
export interface ScanRules {
  /** What violations call the text: `empty-body`, `message-too-large`. */
  readonly noun: "body" | "message";
  /** Bytes of the whole text. */
  readonly bytesMax: number;
  /** Nesting of objects and arrays; the outermost value is at depth 1. Also bounds the scanner's recursion. */
  readonly depthMax: number;
  readonly arrayItemsMax: number;
  /** Unicode code points of one string, names included. */
  readonly stringCharactersMax: number;
  /** Names that no object may have. */
  readonly forbiddenNames: readonly string[];
  /** The member, in lower case, whose text may hold CR and LF that do not count as control characters; "": none. */
  readonly multilineName: string;
  /** Whether an integer that no double holds is a violation. */
  readonly exactIntegers: boolean;
}

/** Where a value lies: `root`, `inner`, `echoed`, or a number above 1 that the protocol chooses. */
export type Place = number;
/** Nothing in the value concerns the protocol. */
export const inner: Place = 0;
/** The outermost value. */
export const root: Place = 1;
/** Like `inner`; a number is only sent back as it was written, so that any size will do. */
export const echoed: Place = -1;

/** The members that a protocol scans for. Constant; the results of one scan are in `Found`. */
export interface ScanPlan<Found> {
  readonly rules: ScanRules;
  /** The results of a new scan. */
  readonly start: () => Found;
  /** A value begins whose place is `root` or one of the protocol. */
  readonly enter: (found: Found, place: Place, isObject: boolean) => void;
  /** The place of a member of an object whose place is `root` or one of the protocol. */
  readonly placeOfMember: (place: Place, name: string) => Place;
  /** The place of the items of such an array. */
  readonly placeOfItems: (place: Place) => Place;
  /** A member of such an object ended: where the bytes of its value are. */
  readonly member: (found: Found, place: Place, name: string, start: number, end: number) => void;
}
