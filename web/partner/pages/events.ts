import { el, show, type Child } from "../../shared/dom.ts";
import { HttpError } from "../../shared/failure.ts";
import { isObject, textOf, type Json, type JsonObject } from "../../shared/json.ts";
import { load } from "../../shared/load.ts";
import { once } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { prose } from "../../shared/view.ts";
import type { PartnerPage } from "../session.ts";

const address = new URL("../../../generated/ledger/asyncapi.json", import.meta.url);

export const eventsPage: PartnerPage = {
  name: "events",
  title: "Events",
  show({ main }) {
    const place = el("div", { class: "content" });
    show(
      main,
      el("h1", {}, "Events"),
      el("p", {}, "What a subscription may be notified of, and the body that is posted then."),
      place,
    );
    void load(place, catalogue, (document) => events(document));
  },
};

const catalogue = once(async (): Promise<JsonObject> => {
  const response = await fetch(address);
  if (!response.ok) throw new HttpError(address.pathname, response.status);
  const document: unknown = await response.json();
  return isObject(document) ? document : {};
});

function events(document: JsonObject): Child {
  const { messages, schemas } = membersOf(membersOf(document)["components"]);
  return Object.values(membersOf(messages)).map((message) => {
    const { name, description, payload } = membersOf(message);
    const example = sampleOf(membersOf(payload), membersOf(schemas));
    return el(
      "section",
      {},
      el("h2", {}, textOf(name)),
      el("p", {}, prose(textOf(description))),
      el(
        "pre",
        { tabindex: "0", "aria-label": `Example of ${textOf(name)}` },
        JSON.stringify(example, null, 2),
      ),
    );
  });
}

/** A value as the schema has it: its example, or the plainest one. */
function sampleOf(schema: JsonObject, schemas: JsonObject, name = ""): Json {
  const type = /^#\/components\/schemas\/(.+)$/.exec(textOf(schema["$ref"]))?.[1];
  if (type !== undefined) return sampleOf({ ...membersOf(schemas[type]), ...beside(schema) }, schemas, name);
  const [given] = [schema["const"], ...listOf(schema["examples"]), ...listOf(schema["enum"])].filter(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  const fields = Object.entries(membersOf(schema["properties"]));
  if (fields.length > 0)
    return Object.fromEntries(
      fields.map(([each, inner]) => [each, sampleOf(membersOf(inner), schemas, each)]),
    );
  const [part] = listOf(schema["allOf"]);
  if (part !== undefined) return sampleOf(membersOf(part), schemas, name);
  if (textOf(schema["x-format"]).endsWith("timestamp") || name === "timestamp")
    return "2026-03-02T17:00:00.000Z";
  if (schema["type"] === "array") return [sampleOf(membersOf(schema["items"]), schemas, name)];
  if (schema["type"] === "boolean") return true;
  return schema["type"] === "integer" || schema["type"] === "number" ? 1 : `‹${name}›`;
}

function beside({ $ref: _type, ...rest }: JsonObject): JsonObject {
  return rest;
}

function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
