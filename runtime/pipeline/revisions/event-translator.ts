import type { ServedRevision } from "../../contract/index.ts";
import { printResult } from "../encode/index.ts";
import { readByShape } from "../validate/index.ts";

/** An event as it was recorded, and how it is told. */
export interface ToldEvent {
  readonly name: string;
  readonly payloadJson: string;
  /** In whose words; absent where that was not noted. */
  readonly revision?: string;
}

/** Tells events in the words of the revision that a subscription was made in. */
export interface EventWords {
  /** The event itself, where it needs no other words. */
  tell<E extends ToldEvent>(event: E, revision: string | undefined): E;
  /** The names that an event has and had in the revisions that are served. */
  namesOf(name: string): readonly string[];
}

/**
 * Over the revisions that are served: the earlier ones, oldest first, and the current one. A subscription of a
 * revision that is not served any more, or of none, is told in the words of the oldest.
 */
export function createEventWords(earlier: readonly ServedRevision[], current: string): EventWords {
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
    tell(event, revision) {
      const from = revisions.indexOf(event.revision ?? "");
      const to = Math.max(0, revisions.indexOf(revision ?? ""));
      return earlier.slice(to, Math.max(to, from)).reduceRight((told, { events, interfaceDescriptor }) => {
        const adapter = events[told.name];
        if (adapter === undefined) return told;
        const payload = readByShape(told.payloadJson, adapter.from);
        const payloadJson = printResult(adapter.down?.(payload) ?? payload, adapter.to);
        return { ...told, name: adapter.name, payloadJson, revision: interfaceDescriptor.revision };
      }, event);
    },
    namesOf(name) {
      const known = names.get(name) ?? formerNames(name);
      names.set(name, known);
      return known;
    },
  };
}
