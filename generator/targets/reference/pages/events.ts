import { readingOf } from "../../../model/resolve.ts";
import { instanceOf } from "../../../../conformance/samples/index.ts";
import { accepts } from "../../../../conformance/values/index.ts";
import { exampleFields } from "../../../model/events.ts";
import { resolve } from "../../../model/index.ts";
import type { EventModel, ServiceModel } from "../../../model/service-model.ts";
import { protocolOf } from "../../../protocols/index.ts";
import { partOf } from "../../../protocols/parts.ts";
import { plainReading, jsonHtml } from "../code.ts";
import { objectView, valueDetails } from "../field-tree.ts";
import { nameParts } from "../prose.ts";
import type { PageContext } from "../page-context.ts";
import { pageParts, type Page } from "../page.ts";
import { typeWords } from "../type-words.ts";

/** `events.html`: every event, what causes it, what its notification carries, and how a receiver verifies it. */
export function eventsPage(context: PageContext): Page | undefined {
  const { model, links } = context;
  if (model.events.length === 0) return undefined;
  return {
    path: "events.html",
    title: "Events",
    template: "events",
    current: "events",
    view: {
      rules: links.page("rules"),
      arePosted: protocolOf(model).postsEvents,
      receivers: context.shown(partOf(model, "reference").receivers()),
      events: model.events.map(({ name, names }) => ({ name, anchor: names.file })),
      sections: pageParts(
        "event",
        model.events.map((event) => eventView(event, context)),
      ),
    },
  };
}

function eventView(event: EventModel, context: PageContext) {
  const { model, links } = context;
  const shape = resolve(model, event.payload);
  return {
    ...context.remarks(event),
    anchor: event.names.file,
    name: event.name,
    type: typeWords(event.payload, links),
    causes: event.causedBy.map((name) => ({ parts: nameParts(name), href: links.method(name) })),
    otherCauses: event.otherCauses,
    ...valueDetails(event.payload, context),
    object: shape.kind === "object" ? objectView(shape, context) : undefined,
    payloadName: event.payloadName,
    members: event.members && objectView(event.members.shape, context),
    arePosted: protocolOf(model).postsEvents,
    example: jsonHtml(partOf(model, "reference").notification(event, exampleOf(event, model), model)),
  };
}

/** A payload with the values that the examples of the methods have in fields of its names, as far as those fit it. */
function exampleOf(event: EventModel, model: ServiceModel): unknown {
  const made = instanceOf(event.payload, "maximal", plainReading(model, "response"));
  const alike = { ...Object(made), ...exampleFields(event, model) };
  return accepts(event.payload, alike, readingOf(model)) ? alike : made;
}
