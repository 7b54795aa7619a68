import type { ServedRevision } from "../../contract/index.ts";
import type { EventTranslator } from "../../ports/index.ts";
import { printResult } from "../encode/index.ts";
import { readByShape } from "../validate/index.ts";

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
