import { escaped } from "../values/index.ts";
import type { Edit } from "../suite/case.ts";
import { valueAt } from "../request/edits.ts";
import { someResource } from "./creating.ts";
import { drawn, payloadOf, type Command } from "./command.ts";
import { readBy } from "./observing.ts";
import type { Sequence } from "./sequence.ts";

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
