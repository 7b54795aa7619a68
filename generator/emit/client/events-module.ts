import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { group, hardline, indent, line, lines, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { typeExpression } from "../../print/type-expression.ts";
import { openTypeNames } from "../types/types-module.ts";
import type { ClientNames } from "./names.ts";

/** `events.ts`: what notifications carry, as a union that `eventName` tells apart. */
export function eventsModule(model: ServiceModel, names: ClientNames, folder: string): string {
  return printModule({
    path: `${folder}/events.ts`,
    preamble: `${preamble(model)}\nimport type * as types from "./types.ts";`,
    declares: ["types", "Notification", "NewerEventName", names.event],
    body: [notification(), newerName(), union(model, names)],
  });
}

/** The members of a notification (D-41): the runtime's, whatever the interface. */
function notification(): Printable {
  const members: readonly (readonly [doc: string, member: string])[] = [
    ["Where it happened: the name of an event source.", "source: string"],
    ["The same however often the event is delivered, and to whom.", "eventId: string"],
    ["What happened.", "eventName: Name"],
    ["Those of the subscription's group that the event is about.", "groupId: readonly string[]"],
    ["The subscription that it is delivered for.", "subscriptionId: string"],
    ["When it happened: UTC, milliseconds, `Z`.", "timestamp: string"],
    ["Grows by one for each first member of the group and subscription; 0 for a test.", "sequence: number"],
    ["What is known of it.", "payload: Payload"],
    [
      "Base64 DER ECDSA P-256 over the payload's bytes, by the service's own key: verified already.",
      "signature: string",
    ],
  ];
  return [
    docComment({ doc: "An event as it is posted to a subscriber.", decisions: ["D-41"] }),
    "export interface Notification<Name extends string, Payload> ",
    [
      "{",
      indent([hardline, lines(members.map(([doc, member]) => [docComment({ doc }), `readonly ${member};`]))]),
      hardline,
      "}",
    ],
  ];
}

/** A literal, for only literals let a `case` of another name leave it out; what it says is no event's name. */
function newerName(): Printable {
  const doc =
    "Stands for the name of an event that only a newer service knows, which is any other text: read it as a `string`.";
  return [docComment({ doc }), 'export type NewerEventName = "an event of a newer service";'];
}

function union(model: ServiceModel, names: ClientNames): Printable {
  const style = { money: "number", doubledSpellings: true };
  const types = openTypeNames(model, "types.");
  const members = model.events.map((event) => [
    docComment(event),
    "| ",
    group([
      "Notification<",
      indent([stringLiteral(event.name), ",", line, typeExpression(event.payload, types, style)]),
      ">",
    ]),
  ]);
  const doc =
    "Every event of the interface, and those that a newer service may post: give a `switch` over `eventName` a `default`.";
  const newer = [
    docComment({ doc: "An event of a newer service." }),
    "| Notification<NewerEventName, unknown>",
  ];
  const all = [...members, newer];
  return [docComment({ doc }), `export type ${names.event} =`, indent([hardline, lines(all)]), ";"];
}
