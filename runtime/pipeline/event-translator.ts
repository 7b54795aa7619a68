import type { SignedInterfaceDescriptor, ServedRevision } from "../contract/index.ts";
import { printResult, readByShape } from "../protocol/signed-envelope/index.ts";

/** The part of a recorded event that a translation reads and changes. */
export interface TranslatableEvent {
  readonly name: string;
  readonly payloadJson: string;
  /** Revision that name and payload are in; absent where it was not recorded. */
  readonly revision?: string;
  /** Further members of its notification, as JSON without the braces; absent where it has none. */
  readonly membersJson?: string;
  /** The member of its notification that holds the payload: `payload` where absent. */
  readonly payloadName?: string;
  /** Name of the event source; of some events the interface says it. */
  readonly source?: string;
}

/** Port: converts events to the revision that a subscription was made in. */
export interface EventTranslator {
  /** The event in that revision, with what its notification has there; the same object where nothing differs. */
  translate<E extends TranslatableEvent>(event: E, revision: string | undefined): E;
  /** The names of an event, now and in the earlier revisions that are served. */
  namesOf(name: string): readonly string[];
}

/**
 * `earlier` holds the earlier revisions that are served, oldest first. Events for a subscription without a revision, or
 * with one that is no longer served, are translated to the oldest.
 */
export function createEventTranslator(
  earlier: readonly ServedRevision[],
  current: SignedInterfaceDescriptor,
): EventTranslator {
  const descriptors = [...earlier.map(({ interfaceDescriptor }) => interfaceDescriptor), current];
  const revisions = descriptors.map(({ revision }) => revision);
  const names = new Map<string, readonly string[]>();

  const formerNames = (name: string): readonly string[] => {
    const found = [name];
    for (const { events } of earlier.toReversed()) {
      const adapter = events[found.at(-1) ?? name];
      if (adapter === undefined) break;
      found.push(adapter.name);
    }
    return [...new Set(found)];
  };

  return {
    translate(event, revision) {
      const from = revisions.indexOf(event.revision ?? "");
      const to = Math.max(0, revisions.indexOf(revision ?? ""));
      const translated = earlier
        .slice(to, Math.max(to, from))
        .reduceRight((translated, { events, interfaceDescriptor }) => {
          const adapter = events[translated.name];
          if (adapter === undefined) return translated;
          const payload = readByShape(translated.payloadJson, adapter.from);
          const payloadJson = printResult(adapter.down?.(payload) ?? payload, adapter.to);
          return { ...translated, name: adapter.name, payloadJson, revision: interfaceDescriptor.revision };
        }, event);
      return withMembers(translated, descriptors[to] ?? current);
    },
    namesOf(name) {
      const known = names.get(name) ?? formerNames(name);
      names.set(name, known);
      return known;
    },
  };
}

/** The event with the further members that its notification has in a revision. */
function withMembers<E extends TranslatableEvent>(
  given: E,
  { eventMembers, eventPayloadNames }: SignedInterfaceDescriptor,
): E {
  const payloadName = eventPayloadNames?.[given.name];
  const event = payloadName === undefined ? given : { ...given, payloadName };
  const members = eventMembers?.[event.name];
  if (members === undefined) return event;
  // Numbers keep their digits, as in the payload.
  const held: unknown = JSON.parse(
    event.payloadJson,
    (_key: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" ? JSON.rawJSON(context?.source ?? String(value)) : value,
  );
  const fields = new Map<string, unknown>(Object.entries(Object(held)));
  const present = members.filter(
    ({ when }) => when === undefined || when.values.some((value) => value === fields.get(when.field)),
  );
  const values = present.map((each) => [each.name, "const" in each ? each.const : fields.get(each.repeats)]);
  const { source, ...further } = Object.fromEntries(values);
  const text = JSON.stringify(further);
  if (text === "{}" && source === undefined) return event;
  return {
    ...event,
    ...(typeof source === "string" && { source }),
    ...(text !== "{}" && { membersJson: text.slice(1, -1) }),
  };
}
