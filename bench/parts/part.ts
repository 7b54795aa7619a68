import type { Figure } from "../harness/figures.ts";

export interface PartOptions {
  readonly rounds: number;
  /** Another checkout of this project, measured beside this one. */
  readonly beside: string | undefined;
  /** Where the program says what it does now. */
  progress(what: string): void;
}

/** One part of the benchmark: what it shows, and how it is measured. */
export interface Part {
  /** How it is chosen on the command line. */
  readonly name: string;
  readonly title: string;
  measure(options: PartOptions): Promise<readonly Figure[]>;
}
