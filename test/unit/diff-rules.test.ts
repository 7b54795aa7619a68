import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { bumps, explainRule, parties, rules, type Rule } from "../../generator/diff/index.ts";
import { languageKeys, rulesOfKey } from "./diff-language-keys.ts";
import { diffCase, diffCases, expectedTexts, type Fragment } from "./diff-cases.ts";

const ids = [...rules.keys()];
const all: readonly (readonly [string, Rule])[] = [...rules];

describe("the rules", () => {
  test("there are many, and each says what it is about", () => {
    expect(ids.length).toBeGreaterThan(60);
    for (const [id, rule] of all) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(Object.keys(rule.effects).length, id).toBeGreaterThan(0);
      for (const text of [rule.why, rule.todo]) expect(text, id).toMatch(/[.?]$/);
      expect(rule.before === rule.after, id).toBe(false);
    }
  });

  test("each has a mirror in the other direction, or says why it has none", () => {
    for (const [id, { mirror }] of all) {
      if ("waiver" in mirror) expect(mirror.waiver, id).toMatch(/.{20}\.$/);
      else expect(ids, id).toContain(mirror.rule);
    }
    const lonely = ids.filter((id) => {
      const other = /^(?:request|response|event)-/.test(id) ? rules.get(id)?.mirror : undefined;
      return other !== undefined && "waiver" in other;
    });
    // Rules that begin with a direction all have one.
    expect(lonely).toEqual([
      "event-added",
      "event-removed",
      "event-renamed",
      "event-name-reused",
      "event-cause-added",
      "event-cause-removed",
    ]);
  });

  test("what undoes a change is a rule too", () => {
    for (const [id, { inverse }] of all) {
      for (const other of inverse) expect(ids, id).toContain(other);
      // A rule that accompanies an addition or a removal has no opposite of its own.
      const isRemark = ["since-inconsistent", "removed-before-sunset", "rpc-code-reused"].includes(id);
      expect(inverse.length === 0, id).toBe(isRemark);
    }
  });

  test("what undoes a change is told apart from it, in every sentence", () => {
    const there = { name: "x", of: "Y", from: "a", to: "b" };
    const back = { ...there, from: "b", to: "a" };
    const shared = all.flatMap(([id, rule]) =>
      rule.inverse.flatMap((other) => {
        const opposite = rules.get(other);
        if (opposite === undefined || other === id) return [];
        const said = [rule.summary(there), explainRule(id)?.what, ...sentencesOf(rule, there)];
        const unsaid = [opposite.summary(back), explainRule(other)?.what, ...sentencesOf(opposite, back)];
        return said.filter((text) => unsaid.includes(text)).map((text) => `${id}, ${other}: ${text}`);
      }),
    );
    expect(shared).toEqual([]);
  });

  test("what stands for a name or a value in an explanation is quoted", () => {
    const mute = { name: "#", of: "#", from: "#", to: "#" };
    for (const [id, rule] of all) {
      const { what, parties: told = {} } = explainRule(id) ?? {};
      const explained = [what, ...Object.values(told).map(({ consequence }) => consequence)];
      const own = [rule.summary(mute), ...sentencesOf(rule, mute)];
      // Unquoted it reads as a word of the sentence: "the path is new now, not old".
      expect(explained.map(wordsLikeFacts), id).toEqual(own.map(wordsLikeFacts));
    }
  });

  test("what breaks callers or receivers is a major version, what may surprise them no patch", () => {
    for (const [id, { effects, bump, area }] of all) {
      const outside = [effects.callers?.severity, effects.receivers?.severity];
      if (outside.includes("breaking")) expect(bump, id).toBe("major");
      if (outside.includes("warning") && area !== "texts") expect(bumps.indexOf(bump), id).toBeGreaterThan(0);
    }
  });

  test("severities are those that were agreed, where the two directions differ", () => {
    const agreed: Readonly<Record<string, readonly [string, string]>> = {
      "field-added-required": ["breaking", "info"],
      "field-added-optional": ["info", "info"],
      "field-removed-required": ["warning", "breaking"],
      "field-removed-optional": ["warning", "warning"],
      "field-optional-to-required": ["breaking", "info"],
      "field-required-to-optional": ["info", "breaking"],
      "type-changed": ["breaking", "breaking"],
      "type-widened": ["info", "breaking"],
      "type-narrowed": ["breaking", "info"],
      "format-changed": ["breaking", "breaking"],
      "enum-value-added": ["info", "breaking"],
      "enum-value-removed": ["breaking", "info"],
      "const-changed": ["breaking", "breaking"],
      "const-added": ["breaking", "info"],
      "const-removed": ["info", "breaking"],
      "bound-tightened": ["breaking", "info"],
      "bound-loosened": ["info", "breaking"],
      "bound-set": ["breaking", "info"],
      "bound-unset": ["info", "breaking"],
      "pattern-added": ["breaking", "info"],
      "pattern-changed": ["breaking", "breaking"],
      "pattern-narrowed": ["breaking", "info"],
      "pattern-widened": ["info", "breaking"],
      "pattern-restated": ["info", "info"],
      "pattern-removed": ["info", "breaking"],
      "group-member-added": ["info", "breaking"],
      "group-member-removed": ["breaking", "info"],
    };
    for (const [family, severities] of Object.entries(agreed)) {
      const found = ["request", "response"].map(
        (way) => rules.get(`${way}-${family}`)?.effects.callers?.severity,
      );
      expect(found, family).toEqual(severities);
    }
  });

  test("a removed operation is breaking for callers and implementers", () => {
    const { effects, bump } = rules.get("method-removed") ?? {};
    expect([effects?.callers?.severity, effects?.implementers?.severity, bump]).toEqual([
      "breaking",
      "breaking",
      "major",
    ]);
  });

  test("parties are those that there are", () => {
    for (const [id, { effects }] of all)
      expect(parties, id).toEqual(expect.arrayContaining(Object.keys(effects)));
  });
});

/** The consequences of a change, for all whom it concerns. */
function sentencesOf({ effects }: Rule, facts: Parameters<Rule["summary"]>[0]): readonly string[] {
  return Object.values(effects).map(({ consequence }) => consequence(facts));
}

/** How often a sentence has what stands for facts in explanations as words of its own. */
function wordsLikeFacts(text = ""): number {
  return text.replaceAll(/`[^`]*`/g, "").match(/\b(?:x|y|z|old|new)\b|`/gi)?.length ?? 0;
}

type SchemaNode = z.infer<typeof Schema>;
const Schema = z.looseObject({
  $ref: z.string().optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return z.union([Schema, z.array(Schema)]).optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
  get definitions() {
    return z.record(z.string(), Schema).optional();
  },
});
const schema = Schema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../spec/schema/spec.schema.json"), "utf8")),
);

/** Steps of a scenario are compared as a whole: how they are written is no part of the contract. */
const isStep = (key: string): boolean => key.startsWith("step.");

describe("the keys of the spec language", () => {
  test("each says what a change of it breaks", () => {
    const keys = ["file", ...Object.keys(schema.definitions ?? {})].flatMap((name) =>
      keysBelow(name, name === "file" ? schema : schema.definitions?.[name]),
    );
    expect(keys.length).toBeGreaterThan(150);
    expect([...languageKeys.keys()].toSorted()).toEqual(keys.filter((key) => !isStep(key)).toSorted());
  });

  test("every rule is the rule of some key, and every key names rules", () => {
    const named = new Set([...languageKeys.values()].flatMap(rulesOfKey));
    expect(ids.filter((id) => !named.has(id))).toEqual([]);
    expect([...named].filter((id) => !rules.has(id))).toEqual([]);
  });

  test.each([...diffCases.keys()])("what %s touches declares what it raised", (name) => {
    const { old, new: recent } = diffCase(name);
    const touched = touchedKeys("file", schema, wholeOf(old), wholeOf(recent));
    const declared = new Set(touched.flatMap((key) => rulesOfKey(languageKeys.get(key) ?? [])));
    const said = expectedTexts.get(name) ?? "";
    const raised = [...said.matchAll(/^(?:breaking|warning|info) (\S+)/gm)].map(([, id = ""]) => id);
    expect(
      raised.filter((id) => !declared.has(id)),
      touched.join(", "),
    ).toEqual([]);
  });
});

function resolved(node: SchemaNode | undefined): {
  readonly node: SchemaNode | undefined;
  readonly name?: string;
} {
  const name = node?.$ref?.replace("#/definitions/", "");
  return name === undefined ? { node } : { node: schema.definitions?.[name], name };
}

function keysBelow(name: string, node: SchemaNode | undefined): readonly string[] {
  return Object.entries(node?.properties ?? {}).flatMap(([key, value]) => [
    `${name}.${key}`,
    ...keysBelow(`${name}.${key}`, value),
    ...(isNode(value.items) ? keysBelow(`${name}.${key}`, value.items) : []),
  ]);
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a fragment says, as one document. */
function wholeOf(fragment: Fragment | undefined): unknown {
  const parts = [...(fragment?.values() ?? [])].map((text) => Mapping.parse(parse(text)));
  return Object.assign({}, ...parts);
}

const Mapping = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});

/** The keys at which two documents differ, with those that they stand in. */
function touchedKeys(
  name: string,
  node: SchemaNode | undefined,
  old: unknown,
  recent: unknown,
): readonly string[] {
  if (JSON.stringify(old) === JSON.stringify(recent)) return [];
  const { node: at, name: definition = name } = resolved(node);
  if (Array.isArray(old) || Array.isArray(recent)) {
    const items = isNode(at?.items) ? at.items : undefined;
    return pairs(byName(old), byName(recent)).flatMap(([a, b]) => touchedKeys(definition, items, a, b));
  }
  if (!isMapping(old) && !isMapping(recent)) return [];
  const [before, now] = [Mapping.catch({}).parse(old), Mapping.catch({}).parse(recent)];
  const shape = at?.oneOf
    ?.map((branch) => resolved(branch))
    .find((branch) => branch.node?.properties !== undefined);
  const properties = shape?.node?.properties ?? at?.properties;
  const owner = shape?.name ?? definition;
  return Object.keys({ ...before, ...now }).flatMap((key) => {
    if (JSON.stringify(before[key]) === JSON.stringify(now[key])) return [];
    const property = properties?.[key];
    if (property === undefined) {
      const inner = isNode(at?.additionalProperties) ? at.additionalProperties : undefined;
      return touchedKeys(definition, inner, before[key], now[key]);
    }
    return [`${owner}.${key}`, ...touchedKeys(`${owner}.${key}`, property, before[key], now[key])];
  });
}

function isMapping(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function byName(list: unknown): ReadonlyMap<string, unknown> {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return new Map(items.map((item, at) => [nameOf(item) ?? String(at), item]));
}

function nameOf(item: unknown): string | undefined {
  const { name, value, from, to } = Mapping.catch({}).parse(item);
  const found = name ?? value ?? (from === undefined ? undefined : `${String(from)} ${String(to)}`);
  return found === undefined ? undefined : String(found);
}

function pairs(old: ReadonlyMap<string, unknown>, recent: ReadonlyMap<string, unknown>) {
  return [...new Set([...old.keys(), ...recent.keys()])].map(
    (key) => [old.get(key), recent.get(key)] as const,
  );
}
