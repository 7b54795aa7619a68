import { isJsonObject } from "../../../conformance/values/index.ts";
import { exampleFields } from "../../../generator/model/event-examples.ts";
import { memberValues } from "../../../generator/model/event-members.ts";
import type { EventModel } from "../../../generator/model/service-model.ts";
import { oncePer } from "../../../generator/language/source/once-per.ts";
import type { AnswerOptions } from "../answers.ts";
import { drawn } from "../random.ts";
import { payloadOf, type PayloadSources } from "./payload.ts";
import type { NotificationSigner } from "./signing.ts";

/** A notification, signed, as it is to be posted: one line of what listeners get. */
export interface EventLine {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event; or why its payload does not fit, a line for each problem. */
export type MadeEvent =
  | { readonly eventId: string; readonly line: EventLine }
  | { readonly problems: string };

export type MakeEvent = (
  event: EventModel,
  sources: Omit<PayloadSources, "sampleKey" | "examples">,
) => MadeEvent;

/** Makes events with the members that notifications of a signed interface have (D-41). */
export function eventMaker(options: AnswerOptions, signer: NotificationSigner): MakeEvent {
  const { model, seed, objects } = options;
  const examplesOf = oncePer((event: EventModel) => exampleFields(event, model));
  let made = 0;

  function lineOf(event: EventModel, eventId: string, payload: unknown): EventLine {
    const { name, payloadName = "payload" } = event;
    const account = accountNumber(payload) ?? objects.known("accountNumber");
    const head = JSON.stringify({
      source: model.name,
      eventId,
      eventName: name,
      groupId: account === undefined ? [] : [account],
      subscriptionId: objects.known("subscriptionId") ?? drawn(seed, "subscription").uuid,
      timestamp: new Date().toISOString(),
      sequence: made,
      ...memberValues(event, payload),
    });
    const payloadText = JSON.stringify(payload);
    const signature = signer.payloadSignature(payloadText);
    const body = `${head.slice(0, -1)},${JSON.stringify(payloadName)}:${payloadText},"signature":"${signature}"}`;
    return { name, headers: signer.headers(drawn(seed, "delivery", eventId).uuid, body), body };
  }

  return (event, sources) => {
    const sampleKey = String(made + 1);
    const found = payloadOf(event, { ...sources, sampleKey, examples: examplesOf(event) }, options);
    if ("problems" in found)
      return { problems: found.problems.map(({ at, expected }) => `${at}: expected ${expected}`).join("\n") };
    made += 1;
    const eventId = drawn(seed, "event", sampleKey).uuid;
    return { eventId, line: lineOf(event, eventId, found.payload) };
  };
}

function accountNumber(payload: unknown): string | undefined {
  return isJsonObject(payload) && "number" in payload && typeof payload.number === "string"
    ? payload.number
    : undefined;
}
