import { resolve } from "../../../model/index.ts";
import { instanceOf } from "../../../../conformance/samples/index.ts";
import { plainReading } from "../examples.ts";
import { objectView } from "../field-tree.ts";
import { jsonTokens } from "../json-text.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { typeWords } from "../type-words.ts";

/** `events.html`: every event, what causes it, what its notification carries, and how a receiver verifies it. */
export function eventsPage(context: PageContext): Page | undefined {
  const { model, links } = context;
  if (model.events.length === 0) return undefined;
  const reading = plainReading(model, "response");
  return {
    path: "events.html",
    title: "Events",
    template: "events",
    current: "events",
    view: {
      rules: links.page("rules"),
      standard: model.wire.protocol === "json-rpc-2.0",
      events: model.events.map((event) => {
        const shape = resolve(model, event.payload);
        return {
          ...context.remarks(event),
          anchor: event.names.file,
          name: event.name,
          type: typeWords(event.payload, links),
          causes: event.causedBy.map((name) => ({ name, href: links.method(name) })),
          otherCauses: event.otherCauses,
          object: shape.kind === "object" ? objectView(shape, context) : undefined,
          members: event.members && objectView(event.members.shape, context),
          example: jsonTokens(instanceOf(event.payload, "maximal", reading)),
        };
      }),
    },
  };
}
