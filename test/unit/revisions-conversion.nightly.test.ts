import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problemsOf, type Reading } from "../../conformance/values/index.ts";
import { rules } from "../../generator/diff/index.ts";
import { conversionOf, conversionsOfFamilies } from "../../generator/targets/revisions/by-rule.ts";
import {
  loadServiceModel,
  typeOf,
  type MethodModel,
  type ServiceModel,
  type Shape,
} from "../../generator/model/index.ts";
import { printResult } from "../../runtime/protocol/signed-envelope/protocol.ts";
import { readByShape } from "../../runtime/protocol/signed-envelope/index.ts";
import { compileErrors } from "../e2e-generator/compile.ts";
import { diffCases, libraryWith } from "./diff-cases.ts";
import { filesUnder, readerOf } from "./diagnostics-cases.ts";
import {
  revisionModules,
  type AddedRevision,
  type LoadedRevision,
  type RevisionModules,
} from "./revision-modules.ts";
import { valuesOf } from "./revision-values.ts";
import { fc, isSoak, runs } from "../seed.ts";

const shops = join(import.meta.dirname, "../cases/revisions");
const directional = [...rules].filter(
  ([id, { area }]) => /^(?:request|response|event)-/.test(id) && (area === "fields" || area === "values"),
);

let modules: RevisionModules;
let shop: AddedRevision;
const libraries = new Map<string, AddedRevision>();

/** All kinds of change in a soak; else those of which something has to be made, once for each way. */
const all = isSoak;

beforeAll(() => {
  modules = revisionModules();
  const { old, recent } = shopModels();
  shop = modules.add("shop", old, recent);
  for (const [name, { old: before, new: now }] of diffCases) {
    if (before === undefined || now === undefined || !isTried(name)) continue;
    libraries.set(name, modules.add(`library-${libraries.size}`, libraryWith(before), libraryWith(now)));
  }
});
afterAll(() => modules.dispose());

function isTried(name: string): boolean {
  const [direction = ""] = name.split("-");
  if (all) return ["request", "response", "event", "method", "form", "payload"].includes(direction);
  if (["method", "form", "payload"].includes(direction)) return /removed|renamed|reused|to-forms/.test(name);
  const way = direction === "request" ? "up" : "down";
  const conversion = conversionsOfFamilies[name.slice(direction.length + 1)]?.[way];
  const isKnown = direction === "request" || direction === "response";
  return isKnown && conversion !== undefined && (conversion !== "generated" || name.includes("renamed"));
}

describe("what the comparison finds", () => {
  test("every kind of change of a value has a conversion, for each way it travels", () => {
    const families = new Set(directional.map(([id]) => id.replace(/^(?:request|response|event)-/, "")));
    const apart = ["spelling-added", "spelling-removed", "also-sent-as-added", "also-sent-as-removed"];
    expect([...families].filter((family) => !apart.includes(family)).toSorted()).toEqual(
      Object.keys(conversionsOfFamilies).toSorted(),
    );
  });

  test("what is left to people is asked of them, and nothing else is", () => {
    const wrong = [...libraries].filter(([, { plan }]) => {
      const asked = plan.changes.some((change) => conversionOf(change)?.conversion === "by-hand");
      return asked !== plan.handWritten.some(({ isOptional }) => isOptional !== true);
    });
    expect(wrong.map(([name]) => name)).toEqual([]);
    expect(libraries.size).toBeGreaterThan(40);
  });
});

test("a request that the later revision has become too strict for has a place, and needs none", async () => {
  const tightened = shop.plan.methods.flatMap(({ old, adapt }) =>
    adapt === undefined ? [] : { old, adapt },
  );
  expect(tightened.length).toBeGreaterThan(0);
  for (const { old, adapt } of tightened) {
    const hook = (payload: object): object => ({ ...payload });
    const { revision } = await shop.load({ [adapt]: hook });
    expect(revision.methods[old.name]).toMatchObject({ checked: true, adapt: hook });
    const { revision: without } = await shop.load();
    expect(without.methods[old.name]).not.toHaveProperty("adapt");
  }
});

test("what is generated for each kind of change compiles", async () => {
  expect(await compileErrors(modules.root, ["generated", "runtime"])).toBe("");
});

describe("from 1.0.0 to 1.1.0 and back", () => {
  test("any request of the earlier revision becomes one of the later, or is refused for what it says", async () => {
    const loaded = await shop.load();
    for (const { old, new: recent } of shop.plan.methods) {
      if (recent !== undefined) expectUp(shop, loaded, old, recent, 60, isRefused);
    }
  });

  test("any answer of the later revision becomes one of the earlier", async () => {
    const loaded = await shop.load();
    for (const { old, new: recent } of shop.plan.methods) {
      if (recent !== undefined) expectDown(shop, loaded, old, recent, 60);
    }
  });

  test("any event of the later revision becomes one of the earlier, under its name there", async () => {
    const { revision } = await shop.load();
    expect(Object.entries(revision.events).map(([name, event]) => [name, event.name])).toEqual([
      ["Order.CANCELLED", "Order.GONE"],
      ["Order.NEW", "Order.NEW"],
    ]);
    for (const { old, new: recent } of shop.plan.events) {
      const adapter = revision.events[recent.name];
      if (adapter === undefined) throw new Error(`no adapter of ${recent.name}`);
      fc.assert(
        fc.property(valuesOf(shop.plan.new, recent.payload, "response"), (value) => {
          const read = readByShape(JSON.stringify(value), adapter.from);
          const sent: unknown = JSON.parse(printResult(adapter.down?.(read) ?? read, adapter.to));
          expect(problemsOf(old.payload, sent, readingOf(shop.plan.old, "response"))).toEqual([]);
        }),
        { numRuns: runs(60) },
      );
    }
  });

  test("names, values, amounts and codes are converted as they are meant", async () => {
    const { revision } = await shop.load();
    const place = revision.methods["OrderService.PlaceOrder"];
    if (place === undefined || "handler" in place) throw new Error("not converted");
    expect(place.method).toBe("OrderService.PlaceOrder");
    expect(place.errors).toEqual({ OUT_OF_STOCK: "SOLD_OUT" });
    expect(revision.methods["OrderService.DropOrder"]).toMatchObject({
      method: "OrderService.CancelOrder",
      errors: { NOT_FOUND_ORDER: "BAD_INPUT" },
    });
    const up = place.up?.({
      buyer: "Ada",
      shipTo: { street: "1 Main Street", fax: "123" },
      items: [{ sku: "A", price: 1, weight: 2.5, colour: "GREY", size: { width: 3 } }],
      note: "Thanks",
    });
    expect(JSON.parse(JSON.stringify(up))).toEqual({
      buyer: "Ada",
      shipTo: { line1: "1 Main Street" },
      items: [{ sku: "A", price: 1, weight: 2.5, colour: "SILVER", size: { breadth: 3 } }],
      note: "Thanks",
    });
    expect(place.renamed).toEqual({ "/shipTo/line1": "street", "/items/*/size/breadth": "width" });
  });
});

test("what is generated for each kind of change converts every request and answer that it can", async () => {
  for (const [, added] of libraries) {
    if (added.plan.handWritten.length > 0) continue;
    const loaded = await added.load();
    for (const { old, new: recent } of added.plan.methods) {
      if (recent === undefined) continue;
      const concerns = added.plan.changes.filter(({ reaches }) => reaches.includes(recent.name));
      const conversions = new Set(concerns.map((change) => conversionOf(change)?.conversion));
      expectUp(added, loaded, old, recent, 5, () => conversions.has("refused"));
      if (!conversions.has("passed")) expectDown(added, loaded, old, recent, 5);
    }
  }
});

function expectUp(
  { plan }: AddedRevision,
  { revision, earlier }: LoadedRevision,
  old: MethodModel,
  recent: MethodModel,
  numRuns: number,
  mayBeRefused: (value: unknown) => boolean,
): void {
  const adapter = revision.methods[old.name];
  if (adapter === undefined || "handler" in adapter) throw new Error(`${old.name} is not converted`);
  for (const before of payloadsOf(old)) {
    fc.assert(
      fc.property(valuesOf(plan.old, before, "request"), (value) => {
        fc.pre(problemsOf(before, value, readingOf(plan.old, "request")).length === 0);
        const read = readByShape(JSON.stringify(value), earlier("payload", old.name));
        const taken: unknown = JSON.parse(JSON.stringify(adapter.up?.(read) ?? read));
        const problems = payloadsOf(recent).map((now) =>
          problemsOf(now, taken, readingOf(plan.new, "request")),
        );
        if (problems.every((each) => each.length > 0))
          expect([mayBeRefused(value), problems, old.name]).toEqual([true, problems, old.name]);
      }),
      { numRuns },
    );
  }
}

function expectDown(
  { plan }: AddedRevision,
  { revision, earlier, later }: LoadedRevision,
  old: MethodModel,
  recent: MethodModel,
  numRuns: number,
): void {
  const adapter = revision.methods[old.name];
  if (adapter === undefined || "handler" in adapter) throw new Error(`${old.name} is not converted`);
  fc.assert(
    fc.property(valuesOf(plan.new, recent.result, "response"), (value) => {
      fc.pre(problemsOf(recent.result, value, readingOf(plan.new, "response")).length === 0);
      const read = readByShape(JSON.stringify(value), later("result", recent.name));
      const given: unknown = JSON.parse(
        printResult(adapter.down?.(read) ?? read, earlier("result", old.name)),
      );
      expect([old.name, problemsOf(old.result, given, readingOf(plan.old, "response"))]).toEqual([
        old.name,
        [],
      ]);
    }),
    { numRuns },
  );
}

/** What the shop of 1.1.0 refuses and that of 1.0.0 took. */
function isRefused(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.includes("DRONE") || text.includes("!") || /"note":".{41}/.test(text);
}

function payloadsOf({ payload }: MethodModel): readonly Shape[] {
  return payload.kind === "single" ? [payload.shape] : payload.forms.map(({ shape }) => shape);
}

function readingOf(model: ServiceModel, direction: "request" | "response"): Reading {
  return {
    direction,
    resolve(shape) {
      let at = shape;
      while (at.kind === "ref") at = typeOf(model, at).shape;
      return at;
    },
  };
}

function shopModels(): { readonly old: ServiceModel; readonly recent: ServiceModel } {
  const { value, diagnostics } = loadServiceModel("shop", readerOf(filesUnder(shops)));
  const old = value?.serves?.[0]?.model;
  if (value === undefined || old === undefined)
    throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  return { old, recent: value };
}
