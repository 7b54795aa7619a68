import type { Edit } from "../suite/case.ts";
import { valueAt } from "../request/edits.ts";
import { someThing } from "./creating.ts";
import { drawn, payloadOf, type Deed } from "./command.ts";
import { readBy } from "./observing.ts";
import type { Session } from "./sequence.ts";

export const read: Deed = {
  name: "read",
  weight: 3,
  async perform(model, session, { pick, value }) {
    const thing = await someThing(model, session, { pick, value }, ({ readers }) => readers.length > 0);
    const reader = drawn(thing?.kind.readers ?? [], value);
    if (thing !== undefined && reader !== undefined) await readBy(reader, thing, model, session);
  },
};

/** About an object that was never made. */
export const askForNothing: Deed = {
  name: "ask for nothing",
  weight: 1,
  async perform(_model, session, { pick, value }) {
    const found = drawn(actionsOf(session), pick);
    if (found === undefined) return;
    const { resource, action } = found;
    const { method, bases, identifying } = action;
    const base = drawn(bases, value) ?? "minimal";
    const edits = identifying
      .filter(({ name }) => valueAt(method.bases[base], `/${name}`) !== undefined)
      .map(({ name }): Edit => ({ op: "set", at: `/${name}`, value: "{{unknown}}" }));
    if (payloadOf(method, base, edits, session.context.lookup) === undefined) return;
    const title = `${method.name}: ${resource.name} that was never made`;
    const made = await session.call({ title, method, plan: { base, edits } });
    session.refused("absent", made, method, resource.absent === undefined ? [] : [resource.absent]);
  },
};

function actionsOf({ expedition: { kinds } }: Session) {
  return kinds.flatMap(({ resource, readers, setters }) =>
    [...readers, ...setters].map((action) => ({ resource, action })),
  );
}
