import { shapeResolver } from "../suite/resolve-shape.ts";
import type { MethodEntry, PayloadShape, Suite } from "../suite/suite.ts";
import type { Draft, Sketch } from "./case-names.ts";
import { FormCases, type Form } from "./form-cases.ts";
import { baseName, requestReading } from "./request-reading.ts";
import { withinDocument } from "./within-document.ts";

/**
 * The cases of a payload: the least and the most, both sides of each rule, spellings, unknown members. A notification
 * has none: no answer shows what is wrong with it.
 */
export function payloadCases(entry: MethodEntry, suite: Suite): readonly Sketch[] {
  if (entry.transport.notify === "only") return [];
  const reading = requestReading(entry.examples ?? [], { resolve: shapeResolver(suite) });
  const ground = { suite, entry, reading };
  return formsOf(entry.payload).flatMap((form) => {
    const ends = (["minimal", "maximal"] as const).flatMap((fullness) => {
      const base = baseName(form.name, fullness);
      const draft: Draft = {
        method: entry.name,
        name: ["payload", base],
        title: fullness === "minimal" ? "only what is required" : "everything that may be sent",
        level: "document",
        stated: [entry],
        request: { base },
        expect: { kind: "result" },
      };
      const fair = withinDocument(draft, form.shape, ground);
      if (fair.request === draft.request) return [made(fair)];
      return [made(fair), made({ ...draft, name: [...draft.name, "in-full"], level: "decisions" })];
    });
    const shapes = new FormCases(form, ground);
    shapes.rules();
    shapes.spellings();
    shapes.strangers();
    return [...ends, ...shapes.sketches];
  });
}

function made(draft: Draft): Sketch {
  return { name: draft.name, make: () => draft };
}

function formsOf(payload: PayloadShape): readonly Form[] {
  return payload.kind === "single" ? [{ shape: payload.shape }] : payload.forms;
}
