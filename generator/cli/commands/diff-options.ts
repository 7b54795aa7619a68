import type { Severity } from "../../diff/index.ts";
import type { SpecOptions } from "../select.ts";

export const diffFormats = ["terminal", "markdown", "json", "sarif", "github"] as const;

/** Options of `ledger-rpc diff`. */
export interface DiffOptions extends SpecOptions {
  readonly format: (typeof diffFormats)[number];
  readonly failOn?: Severity | "none";
  readonly exceptions?: string;
  readonly output?: string;
  /** Whether changes of texts are reported. */
  readonly docs: boolean;
  readonly changelog?: true;
  readonly migration?: true;
  readonly clientVersion?: string;
  /** Whether what the spec language cannot say of a document is left out. */
  readonly lossy?: true;
}
