import { resultOf } from "../response/read-response.ts";
import { usesLacking } from "../session/capabilities.ts";
import type { Edit } from "../suite/case.ts";
import { payloadShapes } from "../suite/methods.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { escaped, type FieldShape, memberOf, valueAt } from "../values/index.ts";
import { type Command, type Draw, drawn, payloadOf } from "./command.ts";
import { someResource } from "./creating.ts";
import { type Model, type Resource, resourcesOf } from "./model.ts";
import { isFreeText, type Listing, type ResourceType } from "./resource-types.ts";
import type { RuleName } from "./rules.ts";
import type { Sequence } from "./sequence.ts";
import { meaningOf, readBy, recordFits } from "./state.ts";

export const read: Command = {
  name: "read",
  weight: 3,
  async perform(model, sequence, { pick, value }) {
    const resource = await someResource(
      model,
      sequence,
      { pick, value },
      ({ readers }) => readers.length > 0,
    );
    const reader = drawn(resource?.type.readers ?? [], value);
    if (resource !== undefined && reader !== undefined) await readBy(reader, resource, model, sequence);
  },
};

/** About an object that was never made. */
export const askForNothing: Command = {
  name: "ask for nothing",
  weight: 1,
  async perform(_model, sequence, { pick, value }) {
    const found = drawn(actionsOf(sequence), pick);
    if (found === undefined) return;
    const { resource, action } = found;
    const { method, bases, identifying } = action;
    const base = drawn(bases, value) ?? "minimal";
    const edits = identifying
      .filter(({ name }) => valueAt(method.bases[base], `/${escaped(name)}`) !== undefined)
      .map(({ name, identifies }): Edit => ({
        op: "set",
        at: `/${escaped(name)}`,
        value: `{{unknown.${identifies}}}`,
      }));
    if (payloadOf(method, base, edits, sequence.context.lookup) === undefined) return;
    const title = `${method.name}: ${resource.name} that was never made`;
    const made = await sequence.call({ title, method, plan: { base, edits } });
    sequence.refused("absent", made, method, resource.absent === undefined ? [] : [resource.absent]);
  },
};

function actionsOf({ exploration: { types } }: Sequence) {
  return types.flatMap(({ entry, readers, setters }) =>
    [...readers, ...setters].map((action) => ({ resource: entry, action })),
  );
}

/** Lists objects page by page, all of them or those that a condition describes. */
export const list: Command = {
  name: "list",
  weight: 3,
  async perform(model, sequence, { pick, value }) {
    const resource = await someResource(model, sequence, { pick, value }, ({ lists }) => lists.length > 0);
    const listing = drawn(resource?.type.lists ?? [], pick);
    if (resource !== undefined && listing !== undefined)
      await listBy(listing, resource.type, model, sequence, { pick, value });
  },
};

/** Holds the pages of a list against the objects that are to be in it. @throws InvariantViolation */
export async function listBy(
  listing: Listing,
  kind: ResourceType,
  model: Model,
  sequence: Sequence,
  { pick, value }: Draw,
): Promise<void> {
  const { filter } = listing.paging;
  const tagged = taggedField(listing, kind, sequence);
  if (filter === undefined || tagged === undefined) return;
  if (usesLacking({ [filter]: tagged.name }, listing.method, sequence.context.claims)) return;
  const resources = resourcesOf(model, kind);
  const all = `${tagged.name} = "${model.tag}*"`;
  const condition =
    value === 0 ? undefined : conditionOf(listing, resources, drawn(resources, pick), value, sequence);
  const text = condition === undefined ? all : `${all} AND ${condition.text}`;
  const expected = condition === undefined ? resources : resources.filter(condition.holds);
  const rule = condition === undefined ? "lists" : "filters";
  const size = 1 + (value % 3);
  const found = await pagesOf(listing, filter, text, size, expected.length, rule, sequence);
  for (const resource of expected) itemOf(resource, found, listing, text, rule, sequence);
  const strangers = found.length - expected.length;
  sequence.check(rule, strangers <= 0, `${expected.length} items with ${text}`, `${found.length} items`);
}

async function pagesOf(
  { method, paging }: Listing,
  filter: string,
  text: string,
  size: number,
  count: number,
  rule: RuleName,
  sequence: Sequence,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const pages = paging.size === undefined ? 1 : Math.ceil(count / size) + 1;
  const { first = 1, empty } = paging;
  for (let page = first; page < first + pages; page += 1) {
    const sized = paging.size === undefined ? {} : numberIn(paging.size, size, method, sequence);
    const payload = { [filter]: text, ...numberIn(paging.page, page, method, sequence), ...sized };
    const title = `list those with ${text}, page ${page}`;
    const made = await sequence.call({ title, method, plan: { payload } });
    if (empty !== undefined && resultOf(made.answer, method) === undefined) {
      sequence.refused(rule, made, method, [empty]);
      return found;
    }
    const result = sequence.result(rule, made, method);
    const items = memberOf(result, paging.items);
    if (!Array.isArray(items)) return found;
    if (empty !== undefined)
      sequence.check(rule, items.length > 0, `the error ${empty} on a page without items`, "no items");
    if (paging.size !== undefined)
      sequence.check(
        rule,
        items.length <= size,
        `at most ${size} items on page ${page}`,
        `${items.length} items`,
      );
    found.push(...items);
  }
  return found;
}

/** A member of a payload that is a number, as the payload has it: some have texts of digits. */
function numberIn(name: string, value: number, { payload }: MethodEntry, { context }: Sequence): object {
  const field = payloadShapes(payload)
    .flatMap(({ fields }) => fields)
    .find((each) => each.name === name);
  const isText = field !== undefined && context.response.resolve(field.shape).kind === "string";
  return { [name]: isText ? String(value) : value };
}

/** An object is in a list once, and as it is. */
function itemOf(
  resource: Resource,
  found: readonly unknown[],
  { fields }: Listing,
  text: string,
  rule: RuleName,
  sequence: Sequence,
): void {
  const own = found.filter((item) =>
    fields.some(({ name, identifies }) => {
      const known = identifies === undefined ? undefined : resource.samples.get(identifies);
      return known !== undefined && memberOf(item, name) === known;
    }),
  );
  sequence.check(
    rule,
    own.length === 1,
    `${resource.name} once among those with ${text}`,
    `${own.length} times`,
  );
  for (const item of own) recordFits(fields, item, resource, rule, sequence);
}

interface Condition {
  readonly text: string;
  holds(resource: Resource): boolean;
}

/** A condition on something that is known of every object, true of one of them or of the others. */
function conditionOf(
  { fields }: Listing,
  resources: readonly Resource[],
  one: Resource | undefined,
  value: number,
  sequence: Sequence,
): Condition | undefined {
  const { suite, response } = sequence.context;
  const usable = fields.filter((field) => {
    const isWord = response.resolve(field.shape).kind === "enum" || isFreeText(field, response);
    return isWord && resources.every((resource) => resource.expected.has(meaningOf(field, suite)));
  });
  const field = usable[value % usable.length];
  if (field === undefined) return undefined;
  const meaning = meaningOf(field, suite);
  const wanted = one?.expected.get(meaning);
  const isNot = value % 4 === 3;
  return {
    text: `${field.name} ${isNot ? "!=" : "="} ${JSON.stringify(wanted)}`,
    holds: (resource) => (resource.expected.get(meaning) === wanted) !== isNot,
  };
}

/** The item's text into which every creation puts the tag of its sequence. */
function taggedField(
  { fields }: Listing,
  { creator }: ResourceType,
  { context }: Sequence,
): FieldShape | undefined {
  const { suite, response } = context;
  const texts = new Set(creator?.texts.map((field) => meaningOf(field, suite)));
  return fields.find((field) => texts.has(meaningOf(field, suite)) && isFreeText(field, response));
}

/** The list of another caller holds none of it. @throws InvariantViolation */
export async function listAsOutsider(
  listing: Listing,
  kind: ResourceType,
  model: Model,
  sequence: Sequence,
): Promise<void> {
  const identity = await sequence.exploration.outsider();
  const tagged = taggedField(listing, kind, sequence);
  const { filter, page, items } = listing.paging;
  if (identity === undefined || filter === undefined || tagged === undefined) return;
  const { method } = listing;
  const first = numberIn(page, listing.paging.first ?? 1, method, sequence);
  const payload = { [filter]: `${tagged.name} = "${model.tag}*"`, ...first };
  const made = await sequence.call({
    title: "another caller: list the same",
    method,
    plan: { payload },
    identity,
  });
  const found = memberOf(resultOf(made.answer, method), items);
  sequence.check("invisible", !Array.isArray(found) || found.length === 0, "none of them", found);
}

export function listable(model: Model, { exploration: { types } }: Sequence) {
  return types
    .filter((kind) => resourcesOf(model, kind).length > 0)
    .flatMap((kind) => kind.lists.map((listing) => ({ kind, listing })));
}
