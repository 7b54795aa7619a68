import type { ServedRevision } from "../../contract/index.ts";
import { printResult } from "../encode/index.ts";
import { readByShape } from "../validate/index.ts";

/** What a translation reads and changes of a recorded event. */
export interface TranslatableEvent {
  readonly name: string;
  readonly payloadJson: string;
  /** Revision that name and payload are in; absent where it was not recorded. */
  readonly revision?: string;
}

/** Port: converts events to the revision that a subscription was made in. */
export interface EventTranslator {
  /** The event in that revision; the same object where nothing differs. */
  translate<E extends TranslatableEvent>(event: E, revision: string | undefined): E;
  /** The names of an event, now and in the earlier revisions that are served. */
  namesOf(name: string): readonly string[];
}

/**
 * `earlier` holds the earlier revisions that are served, oldest first. Events for a subscription without a revision, or
 * with one that is no longer served, are translated to the oldest.
 */
export function createEventTranslator(earlier: readonly ServedRevision[], current: string): EventTranslator {
  const revisions = [...earlier.map(({ interfaceDescriptor }) => interfaceDescriptor.revision), current];
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
      return earlier
        .slice(to, Math.max(to, from))
        .reduceRight((translated, { events, interfaceDescriptor }) => {
          const adapter = events[translated.name];
          if (adapter === undefined) return translated;
          const payload = readByShape(translated.payloadJson, adapter.from);
          const payloadJson = printResult(adapter.down?.(payload) ?? payload, adapter.to);
          return { ...translated, name: adapter.name, payloadJson, revision: interfaceDescriptor.revision };
        }, event);
    },
    namesOf(name) {
      const known = names.get(name) ?? formerNames(name);
      names.set(name, known);
      return known;
    },
  };
}
