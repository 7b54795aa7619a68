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
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const suite: Suite = parsedIn(folder, read("suite.json"));
  if (suite.format !== 3) throw new Error(`${folder} is of another version: generate it again`);
  const written: readonly Case[] = read("cases.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parsedIn(folder, line));
  return { suite, cases: allCases(suite, written) };
}

function parsedIn<T>(folder: string, text: string): T {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${folder} is incomplete: generate it again`, { cause });
  }
}

/** The names of all that an access file may say of what a service holds. */
export function sampleNames({ suite }: LoadedSuite): ReadonlySet<string> {
  return new Set(suite.resources.flatMap(({ samples }) => samples));
}
