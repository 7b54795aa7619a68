import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "../suite/case.ts";
import type { Suite } from "../suite/suite.ts";
import { allCases } from "./all-cases.ts";

/** The suite of an interface, and its cases. */
export interface LoadedSuite {
  readonly suite: Suite;
  readonly cases: readonly Case[];
}

/** Reads a folder that the generator wrote: `suite.json` and `cases.jsonl`. @throws Error */
export function loadSuite(folder: string): LoadedSuite {
  const suite: Suite = JSON.parse(readFileSync(join(folder, "suite.json"), "utf8"));
  if (suite.format !== 3) throw new Error(`${folder} is of another version: generate it again`);
  const written: readonly Case[] = readFileSync(join(folder, "cases.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { suite, cases: allCases(suite, written) };
}

/** The names of all that an access file may say of what a service holds. */
export function sampleNames({ suite }: LoadedSuite): ReadonlySet<string> {
  return new Set(suite.resources.flatMap(({ samples }) => samples));
}
