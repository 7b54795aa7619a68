import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Figure } from "./figures.ts";

/** Where a run was made. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  readonly cores: number;
  readonly cpu: string | undefined;
}

const Kept = z.object({
  machine: z.looseObject({ arch: z.string(), cpu: z.string().optional() }),
  figures: z.array(z.looseObject({ part: z.string() })),
});

/**
 * The figures of an earlier run on the same machine, with those of the parts that were measured again. Throws where
 * the machine was another: then all has to be measured.
 */
export function refreshed(
  file: string,
  { arch, cpu }: Machine,
  figures: readonly Figure[],
): readonly object[] {
  const { machine, figures: kept } = Kept.parse(JSON.parse(readFileSync(file, "utf8")));
  if (machine.arch !== arch || machine.cpu !== cpu)
    throw new Error(
      `${file} was measured on ${machine.cpu ?? "another processor"} (${machine.arch}), this is ${cpu} (${arch}): ` +
        `measure all parts, with --json ${file}`,
    );
  const parts = new Set(figures.map(({ part }) => part));
  return [...kept.filter(({ part }) => !parts.has(part)), ...figures];
}
