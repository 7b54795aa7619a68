import pc from "picocolors";
import { ownColor } from "../../../conformance/base/terminal-text.ts";

type Paint = (text: string) => string;

/** The colors of what commands print. Only `terminalText` makes colors of them. */
export interface Colors {
  readonly isColorSupported: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly underline: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
}

export function createColors(isColorSupported: boolean): Colors {
  const { bold, dim, underline, red, green, yellow, blue, cyan } = pc.createColors(isColorSupported);
  return {
    isColorSupported,
    bold: ownColor(bold),
    dim: ownColor(dim),
    underline: ownColor(underline),
    red: ownColor(red),
    green: ownColor(green),
    yellow: ownColor(yellow),
    blue: ownColor(blue),
    cyan: ownColor(cyan),
  };
}
