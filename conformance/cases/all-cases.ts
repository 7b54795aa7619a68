import type { Case, Expectation } from "../suite/case.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { factsOf } from "../protocols/facts.ts";
import { CaseNames } from "./case-names.ts";
import { payloadCases } from "./payload-cases.ts";

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
export function casesOfPayload(entry: MethodEntry, suite: Suite): readonly Case[] {
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
