import { readFileSync } from "node:fs";
import { join } from "node:path";
import { factsOf } from "../protocols/facts.ts";
import type { Case, Expectation } from "../suite/case.ts";
import { shapeResolver } from "../suite/methods.ts";
import type { MethodEntry, PayloadShape, Suite } from "../suite/suite.ts";
import { CaseNames, type Draft, type Sketch } from "./draft.ts";
import { baseName, requestReading } from "./fields.ts";
import { type Form, FormCases } from "./form-cases.ts";
import { withinDocument } from "./within-document.ts";

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

/** The part of an id that shows an example: `AccountService.GetAccount/example/by-number`. */
export const exampleGroup = "example";

/**
 * Every case of an interface: those that are written down, and those that its shapes say. Operation by operation, its
 * examples and what its payload may and may not be; then all others.
 */
export function allCases(suite: Suite, written: readonly Case[]): readonly Case[] {
  const examples = Map.groupBy(written.filter(isExample), ({ method }) => method);
  return [
    ...suite.methods.flatMap((entry) => [
      ...(examples.get(entry.name) ?? []),
      ...casesOfPayload(entry, suite),
    ]),
    ...written.filter((each) => !isExample(each)),
  ];
}

function isExample({ id, method }: Case): boolean {
  return id.startsWith(`${method}/${exampleGroup}/`);
}

/** The cases that the shape of a method's payload says. */
function casesOfPayload(entry: MethodEntry, suite: Suite): readonly Case[] {
  const names = new CaseNames(suite);
  return payloadCases(entry, suite).map(({ make }) => {
    const draft = make();
    return names.caseOf({ ...draft, expect: orItsOwnError(draft.expect, entry, suite) });
  });
}

/** The ids of the same cases, which are not made for that. */
export function idsOfPayload(entry: MethodEntry, suite: Suite): readonly string[] {
  const names = new CaseNames(suite);
  return payloadCases(entry, suite).map((sketch) => names.idOf(entry.name, sketch));
}

/** Made values may name no existing object: then a method that declares errors may answer with one of them. */
function orItsOwnError(expect: Expectation, entry: MethodEntry, { faults }: Suite): Expectation {
  const { madeMayBeRefused } = factsOf(entry);
  if (!madeMayBeRefused || entry.errors.length === 0 || expect.kind !== "result") return expect;
  return { kind: "taken", notCodes: faultsBeforeMethod.flatMap((name) => faults[name] ?? []) };
}

/** Conditions under which a call does not get as far as its method. */
export const faultsBeforeMethod: readonly string[] = [
  "parseError",
  "invalidRequest",
  "methodNotFound",
  "badInput",
];

/**
 * The cases of a payload: the least and the most, both sides of each rule, spellings, unknown members. A notification
 * has none: no answer shows what is wrong with it.
 */
function payloadCases(entry: MethodEntry, suite: Suite): readonly Sketch[] {
  if (entry.transport.notify === "only") return [];
  const reading = requestReading(entry.examples ?? [], { resolve: shapeResolver(suite) });
  const ground = { suite, entry, reading };
  return formsOf(entry.payload).flatMap((form) => {
    const ends = (["minimal", "maximal"] as const).flatMap((fullness) => {
      const base = baseName(form.name, fullness);
      const draft: Draft = {
        method: entry.name,
        name: ["payload", base],
        title: fullness === "minimal" ? "only what is required" : "everything that may be sent",
        level: "document",
        stated: [entry],
        request: { base },
        expect: { kind: "result" },
      };
      const fair = withinDocument(draft, form.shape, ground);
      if (fair.request === draft.request) return [made(fair)];
      return [made(fair), made({ ...draft, name: [...draft.name, "in-full"], level: "decisions" })];
    });
    const shapes = new FormCases(form, ground);
    shapes.rules();
    shapes.spellings();
    shapes.strangers();
    return [...ends, ...shapes.sketches];
  });
}

function made(draft: Draft): Sketch {
  return { name: draft.name, make: () => draft };
}

function formsOf(payload: PayloadShape): readonly Form[] {
  return payload.kind === "single" ? [{ shape: payload.shape }] : payload.forms;
}
