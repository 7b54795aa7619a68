import { memberOf } from "../request/access.ts";
import { resultOf } from "../response/read-response.ts";
import type { FieldShape } from "../values/index.ts";
import { someThing } from "./creating.ts";
import { drawn, type Deed, type Draw } from "./command.ts";
import { isFreeText, type Kind, type Listing } from "./resource-types.ts";
import { thingsOf, type Model, type Thing } from "./model.ts";
import { recordProblems } from "./record.ts";
import type { RuleName } from "./rules.ts";
import { meaningOf } from "./expected-state.ts";
import type { Session } from "./sequence.ts";

/** Lists objects page by page, all of them or those that a condition describes. */
export const list: Deed = {
  name: "list",
  weight: 3,
  async perform(model, session, { pick, value }) {
    const thing = await someThing(model, session, { pick, value }, ({ lists }) => lists.length > 0);
    const listing = drawn(thing?.kind.lists ?? [], pick);
    if (thing !== undefined && listing !== undefined)
      await listBy(listing, thing.kind, model, session, { pick, value });
  },
};

/** Holds the pages of a list against the objects that are to be in it. @throws Broken */
export async function listBy(
  listing: Listing,
  kind: Kind,
  model: Model,
  session: Session,
  { pick, value }: Draw,
): Promise<void> {
  const { filter } = listing.paging;
  const tagged = taggedField(listing, kind, session);
  if (filter === undefined || tagged === undefined) return;
  const things = thingsOf(model, kind);
  const all = `${tagged.name} = "${model.tag}*"`;
  const condition =
    value === 0 ? undefined : conditionOf(listing, things, drawn(things, pick), value, session);
  const text = condition === undefined ? all : `${all} AND ${condition.text}`;
  const expected = condition === undefined ? things : things.filter(condition.holds);
  const rule = condition === undefined ? "lists" : "filters";
  const size = 1 + (value % 3);
  const found = await pagesOf(listing, filter, text, size, expected.length, rule, session);
  for (const thing of expected) itemOf(thing, found, listing, text, rule, session);
  const strangers = found.length - expected.length;
  session.holds(rule, strangers <= 0, `${expected.length} items with ${text}`, `${found.length} items`);
}

async function pagesOf(
  { method, paging }: Listing,
  filter: string,
  text: string,
  size: number,
  count: number,
  rule: RuleName,
  session: Session,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const pages = paging.size === undefined ? 1 : Math.ceil(count / size) + 1;
  for (let page = 1; page <= pages; page += 1) {
    const sized = paging.size === undefined ? {} : { [paging.size]: size };
    const payload = { [filter]: text, [paging.page]: page, ...sized };
    const title = `list those with ${text}, page ${page}`;
    const made = await session.call({ title, method, plan: { payload } });
    const result = session.result(rule, made, method);
    const items = memberOf(result, paging.items);
    if (!Array.isArray(items)) return found;
    if (paging.size !== undefined)
      session.holds(
        rule,
        items.length <= size,
        `at most ${size} items on page ${page}`,
        `${items.length} items`,
      );
    found.push(...items);
  }
  return found;
}

/** An object is in a list once, and as it is. */
function itemOf(
  thing: Thing,
  found: readonly unknown[],
  { fields }: Listing,
  text: string,
  rule: RuleName,
  session: Session,
): void {
  const own = found.filter((item) =>
    fields.some(({ name, identifies }) => {
      const known = identifies === undefined ? undefined : thing.samples.get(identifies);
      return known !== undefined && memberOf(item, name) === known;
    }),
  );
  session.holds(rule, own.length === 1, `${thing.name} once among those with ${text}`, `${own.length} times`);
  for (const item of own) recordProblems(fields, item, thing, rule, session);
}

interface Condition {
  readonly text: string;
  holds(thing: Thing): boolean;
}

/** A condition on something that is known of every object, true of one of them or of the others. */
function conditionOf(
  { fields }: Listing,
  things: readonly Thing[],
  one: Thing | undefined,
  value: number,
  session: Session,
): Condition | undefined {
  const { suite, response } = session.context;
  const usable = fields.filter((field) => {
    const isWord = response.resolve(field.shape).kind === "enum" || isFreeText(field, response);
    return isWord && things.every((thing) => thing.said.has(meaningOf(field, suite)));
  });
  const field = usable[value % usable.length];
  if (field === undefined) return undefined;
  const meaning = meaningOf(field, suite);
  const wanted = one?.said.get(meaning);
  const isNot = value % 4 === 3;
  return {
    text: `${field.name} ${isNot ? "!=" : "="} ${JSON.stringify(wanted)}`,
    holds: (thing) => (thing.said.get(meaning) === wanted) !== isNot,
  };
}

/** The item's text into which every creation puts the tag of its sequence. */
function taggedField({ fields }: Listing, { creator }: Kind, { context }: Session): FieldShape | undefined {
  const { suite, response } = context;
  const texts = new Set(creator?.texts.map((field) => meaningOf(field, suite)));
  return fields.find((field) => texts.has(meaningOf(field, suite)) && isFreeText(field, response));
}

/** What somebody else lists has nothing of it. @throws Broken */
export async function listAsOutsider(
  listing: Listing,
  kind: Kind,
  model: Model,
  session: Session,
): Promise<void> {
  const identity = await session.expedition.outsider();
  const tagged = taggedField(listing, kind, session);
  const { filter, page, items } = listing.paging;
  if (identity === undefined || filter === undefined || tagged === undefined) return;
  const payload = { [filter]: `${tagged.name} = "${model.tag}*"`, [page]: 1 };
  const { method } = listing;
  const made = await session.call({
    title: "another caller: list the same",
    method,
    plan: { payload },
    identity,
  });
  const found = memberOf(resultOf(made.answer, method), items);
  session.holds("invisible", !Array.isArray(found) || found.length === 0, "none of them", found);
}

export function listable(model: Model, { expedition: { kinds } }: Session) {
  return kinds
    .filter((kind) => thingsOf(model, kind).length > 0)
    .flatMap((kind) => kind.lists.map((listing) => ({ kind, listing })));
}
