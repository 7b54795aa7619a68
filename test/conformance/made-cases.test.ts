import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { idsOfPayload } from "../../conformance/cases/all-cases.ts";
import { loadSuite, type Case } from "../../conformance/index.ts";
import { ledgerSuite } from "./ledger-suite.ts";

const folderOf = (name: string): string => join(import.meta.dirname, `../../generated/${name}/conformance`);
const isOfPayload = ({ id, method }: Pick<Case, "id" | "method">): boolean =>
  id.startsWith(`${method}/payload`);

describe.each(["ledger", "operator", "partner"])("the suite of %s", (name) => {
  const { suite, cases } = name === "ledger" ? ledgerSuite() : loadSuite(folderOf(name));
  const written = readFileSync(join(folderOf(name), "cases.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Case => JSON.parse(line));

  test("has no case written down that a shape says", () => {
    expect(written.filter(isOfPayload)).toEqual([]);
    expect(cases.filter((each) => !isOfPayload(each)).toSorted(byId)).toEqual(written.toSorted(byId));
  });

  test("names what a shape says without making it", () => {
    const ids = suite.methods.flatMap((entry) => idsOfPayload(entry, suite));
    expect(ids).toEqual(cases.filter(isOfPayload).map(({ id }) => id));
  });

  test("tries the least and the most of each form, once under each id", () => {
    const ids = cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const bases = suite.methods.flatMap(({ name: method, bases: own }) =>
      Object.keys(own).map((base) => `${method}/payload/${base}`),
    );
    expect(bases.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("runs the cases operation by operation, examples before payloads, and all others after them", () => {
    const first = cases.findIndex(
      (each) => !isOfPayload(each) && !each.id.startsWith(`${each.method}/example/`),
    );
    expect(cases.slice(first).filter(isOfPayload)).toEqual([]);
    const methods = cases.slice(0, first).map(({ method }) => method);
    expect(methods.filter((method, at) => method !== methods[at - 1])).toEqual(
      suite.methods.map((each) => each.name).filter((method) => methods.includes(method)),
    );
  });
});

test("the same cases are made each time", () => {
  const folder = folderOf("partner");
  expect(loadSuite(folder).cases).toEqual(loadSuite(folder).cases);
});

function byId(a: Case, b: Case): number {
  return a.id < b.id ? -1 : 1;
}
