import type { ServiceModel } from "../../model/service-model.ts";
import { docComment } from "../../print/doc-comment.ts";
import { bracketed, deeper, lines, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";
import { importedType, printModule } from "../../print/module.ts";
import { preamble } from "../../print/preamble.ts";
import { typeExpression } from "../../print/type-expression.ts";
import { openTypeNames } from "../types/types-module.ts";
import type { ClientNames } from "./names.ts";

/** `events.ts`: what notifications carry, as a union that `eventName` tells apart. */
export function eventsModule(model: ServiceModel, names: ClientNames, folder: string): string {
  return printModule({
    path: `${folder}/events.ts`,
    preamble: `${preamble(model)}\nimport type * as types from "./types.ts";`,
    declares: ["types", names.event],
    body: [union(model, names, `${folder}/notification.ts`)],
  });
}

function union(model: ServiceModel, names: ClientNames, notifications: string): Printable {
  const notification = importedType("Notification", notifications);
  const style = { money: "number", doubledSpellings: true };
  const types = openTypeNames(model, "types.");
  const members = model.events.map((event) => [
    docComment(event),
    "| ",
    notification,
    bracketed("<", ">", [stringLiteral(event.name), typeExpression(event.payload, types, style)]),
    ...(event.members === undefined ? [] : [" & ", typeExpression(event.members.shape, types, style)]),
  ]);
  const doc =
    "Every event of the interface, and those that a newer service may post: give a `switch` over `eventName` a `default`.";
  const newer = [
    docComment({ doc: "An event of a newer service." }),
    ["| ", notification, "<", importedType("NewerEventName", notifications), ", unknown>"],
  ];
  const all = [...members, newer];
  return [docComment({ doc }), `export type ${names.event} =\n`, deeper(lines(all)), ";"];
}
