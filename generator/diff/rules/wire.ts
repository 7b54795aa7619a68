import { waivers, type Rule } from "../model/rule.ts";
import { indented } from "./samples.ts";

/** A whole spec of a standard interface: what is said of its wire and of its one method, a key a line. */
function tasks(wire: readonly string[], ...method: readonly string[]): string {
  const own = indented(["protocol: json-rpc-2.0", ...wire].join("\n"), 4);
  const body = method.length === 0 ? " {}" : `\n${indented(method.join("\n"), 4)}`;
  return `interface:\n  name: tasks\n  wire:\n${own}\nmethods:\n  list:${body}\n`;
}

const list = (...method: readonly string[]): string => tasks([], ...method);
const gone = (...lines: readonly string[]): string =>
  `${list("errors: { GONE: {} }")}errors:\n  GONE:\n${indented(["message: Gone", ...lines].join("\n"), 4)}\n`;
const envelope =
  "interface:\n  name: tasks\n  title: Tasks\n  revision: 1.0.0\n  path: /rpc\n  doc: Keeps tasks.\n";

const ids = (pattern?: string): string =>
  pattern === undefined
    ? envelope
    : `${envelope}  wire: { protocol: signed-envelope, requestId: { pattern: "${pattern}" } }\n`;

const nullError = `${envelope}  wire: { protocol: signed-envelope, nullError: true }\n`;

const breaking = (consequence: Rule["summary"]): Rule["effects"] => ({
  callers: { severity: "breaking", consequence },
});
const offered = (consequence: Rule["summary"]): Rule["effects"] => ({
  callers: { severity: "info", consequence },
});

/** How the calls of an interface travel, and what standard JSON-RPC says of a method and of an error. */
export const wireRules = {
  "protocol-changed": {
    area: "interface",
    summary: ({ from, to }) => `the protocol is \`${to}\` now, not \`${from}\``,
    effects: {
      callers: { severity: "breaking", consequence: ({ from }) => `Every call in \`${from}\` is refused.` },
      implementers: {
        severity: "breaking",
        consequence: () => "Handlers are given other contexts, and are mounted otherwise.",
      },
    },
    bump: "major",
    why: "Each protocol writes calls, answers and errors in its own way.",
    todo: "Serve the interface in the new protocol at a path of its own, beside the old one.",
    before: envelope,
    after:
      "interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0, http: { path: /rpc } }\n  title: Tasks\n  doc: Keeps tasks.\n",
    inverse: ["protocol-changed"],
    mirror: waivers.whole,
  },
  "id-pattern-changed": {
    area: "interface",
    summary: ({ from, to }) => `the \`id\` of a request matches \`${to}\` now, not ${from}`,
    effects: breaking(() => "Requests with other ids are refused, and get no result."),
    bump: "major",
    why: "Callers make ids by themselves, and repeat those that they stored.",
    todo: "Take every id that was right before.",
    before: ids(),
    after: ids("^[A-Z]{3}-[0-9]{12}$"),
    inverse: ["id-pattern-changed", "id-pattern-widened"],
    mirror: waivers.requestOnly,
  },
  "id-pattern-widened": {
    area: "interface",
    summary: ({ from, to }) =>
      to === ""
        ? `the \`id\` of a request is any text now, no longer of \`${from}\``
        : `the \`id\` of a request matches \`${to}\` now, as all that matched \`${from}\` does`,
    effects: offered(() => "Callers may use ids of their own making."),
    bump: "minor",
    why: "What was right before is right now.",
    todo: "Nothing.",
    before: ids("^[0-9]{12,18}$"),
    after: ids(),
    inverse: ["id-pattern-changed", "id-pattern-widened"],
    mirror: waivers.requestOnly,
  },
  "null-error-added": {
    area: "interface",
    summary: () => "answers with a result have `error: null` too now",
    effects: {
      callers: {
        severity: "warning",
        consequence: () =>
          "Callers who look whether there is an `error`, and not whether it is null, take results for errors.",
      },
    },
    bump: "minor",
    why: "Libraries of JSON-RPC 2.0 expect a result or an error, and differ in what they make of both.",
    todo: "Leave the member out.",
    before: envelope,
    after: nullError,
    inverse: ["null-error-removed"],
    mirror: waivers.answerOnly,
  },
  "null-error-removed": {
    area: "interface",
    summary: () => "answers with a result no longer have `error: null`",
    effects: {
      callers: {
        severity: "warning",
        consequence: () =>
          "Callers who look for `error: null` before they take a result refuse every answer.",
      },
    },
    bump: "minor",
    why: "A member that the interface promised is gone, though it said nothing.",
    todo: "Go on sending the member.",
    before: nullError,
    after: envelope,
    inverse: ["null-error-added"],
    mirror: waivers.answerOnly,
  },
  "params-narrowed": {
    area: "operations",
    summary: ({ name, from, to }) => `\`${name}\` takes its parameters \`${to}\` now, not \`${from}\``,
    effects: breaking(({ name }) => `A call of \`${name}\` that writes them in the other way is refused.`),
    bump: "major",
    why: "Parameters by name are an object, parameters by position an array.",
    todo: "Write `params: either`.",
    before: list("params: either"),
    after: list("params: by-name"),
    inverse: ["params-narrowed", "params-widened"],
    mirror: waivers.requestOnly,
  },
  "params-widened": {
    area: "operations",
    summary: ({ name, from }) =>
      `\`${name}\` takes its parameters by name and by position, not only \`${from}\``,
    effects: offered(({ name }) => `Callers may write the parameters of \`${name}\` in both ways.`),
    bump: "minor",
    why: "What was right before is right now.",
    todo: "Nothing. From now on the order of the parameters is part of the interface.",
    before: list("params: by-name"),
    after: list("params: either"),
    inverse: ["params-narrowed"],
    mirror: waivers.requestOnly,
  },
  "parameters-moved": {
    area: "operations",
    summary: ({ name, from, to }) =>
      `the positions of the parameters of \`${name}\` are ${to} now, not ${from}`,
    effects: breaking(({ name }) => `A call of \`${name}\` by position gives values to other parameters.`),
    bump: "major",
    why: "By position a value is known by its place alone: nothing fails, and everything is wrong.",
    todo: "Keep the order, and add new parameters at the end.",
    before: list(
      "params: by-position",
      "payload:",
      "  fields:",
      "    - { name: state, type: string }",
      "    - { name: owner, type: string }",
    ),
    after: list(
      "params: by-position",
      "payload:",
      "  fields:",
      "    - { name: owner, type: string }",
      "    - { name: state, type: string }",
    ),
    inverse: ["parameters-moved"],
    mirror: waivers.requestOnly,
  },
  "notifications-refused": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` cannot be called without an \`id\` any more`,
    effects: breaking(
      ({ name }) => `A notification \`${name}\` is dropped, and its caller does not learn of it.`,
    ),
    bump: "major",
    why: "A notification is not answered, so its caller does not learn of errors.",
    todo: "Go on taking notifications, or offer another method for calls.",
    before: list("notify: allowed"),
    after: list("notify: never"),
    inverse: ["notifications-taken"],
    mirror: waivers.requestOnly,
  },
  "notifications-taken": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` may be called without an \`id\` now`,
    effects: offered(({ name }) => `Callers may send \`${name}\` as a notification.`),
    bump: "minor",
    why: "Calls with an `id` are answered as before.",
    todo: "Nothing.",
    before: list("notify: never"),
    after: list("notify: allowed"),
    inverse: ["notifications-refused"],
    mirror: waivers.requestOnly,
  },
  "answers-removed": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` is a notification now, and is never answered`,
    effects: breaking(({ name }) => `A call of \`${name}\` that waits for its answer is refused.`),
    bump: "major",
    why: "Callers wait for a result, or for word that it failed.",
    todo: "Offer a new method for the notification, and leave this one alone.",
    before: list("notify: allowed"),
    after: list("notify: only"),
    inverse: ["answers-added"],
    mirror: waivers.answerOnly,
  },
  "answers-added": {
    area: "operations",
    summary: ({ name }) => `\`${name}\` is answered now where a call has an \`id\``,
    effects: offered(({ name }) => `Callers may wait for the answer of \`${name}\`.`),
    bump: "minor",
    why: "What it answers is new.",
    todo: "Nothing.",
    before: list("notify: only"),
    after: list("notify: allowed"),
    inverse: ["answers-removed"],
    mirror: waivers.answerOnly,
  },
  "batch-narrowed": {
    area: "interface",
    summary: ({ from, to }) => `only ${to} calls may travel together now, not ${from}`,
    effects: breaking(() => "A batch with more calls is refused as a whole."),
    bump: "major",
    why: "None of the calls of a batch that is refused is carried out.",
    todo: "Keep the limit.",
    before: tasks(["batch: { max: 50 }"]),
    after: tasks(["batch: { max: 10 }"]),
    inverse: ["batch-widened"],
    mirror: waivers.requestOnly,
  },
  "batch-widened": {
    area: "interface",
    summary: ({ from, to }) => `${to} calls may travel together now, not only ${from}`,
    effects: offered(() => "Callers may send more calls at once."),
    bump: "minor",
    why: "What was right before is right now.",
    todo: "Nothing.",
    before: tasks(["batch: false"]),
    after: tasks(["batch: { max: 10 }"]),
    inverse: ["batch-narrowed"],
    mirror: waivers.requestOnly,
  },
  "transport-added": {
    area: "interface",
    summary: ({ to }) => `the interface is served over \`${to}\` too`,
    effects: offered(({ to }) => `Callers may call over \`${to}\`.`),
    bump: "minor",
    why: "The other transports stay as they are.",
    todo: "Mount it: docs/protocols.md.",
    before: tasks(["transports: [http]"]),
    after: tasks(["transports: [http, websocket]"]),
    inverse: ["transport-removed"],
    mirror: waivers.whole,
  },
  "transport-removed": {
    area: "interface",
    summary: ({ from }) => `the interface is no longer served over \`${from}\``,
    effects: breaking(({ from }) => `Callers over \`${from}\` do not reach the service.`),
    bump: "major",
    why: "Callers have one way to the service in their configuration.",
    todo: "Serve both for as long as anyone uses it.",
    before: tasks(["transports: [http, websocket]"]),
    after: tasks(["transports: [http]"]),
    inverse: ["transport-added"],
    mirror: waivers.whole,
  },
  "http-statuses-changed": {
    area: "interface",
    summary: ({ from, to }) => `the HTTP status of errors is \`${to}\` now, not \`${from}\``,
    effects: breaking(
      () => "Callers who act on the status take an error for a success, or an answer for none.",
    ),
    bump: "major",
    why: "Some clients read the body of a 200 only, others act on the status.",
    todo: "Keep the statuses.",
    before: tasks(["http: { status: ok }"]),
    after: tasks(["http: { status: mapped }"]),
    inverse: ["http-statuses-changed"],
    mirror: waivers.answerOnly,
  },
  "notified-status-changed": {
    area: "interface",
    summary: ({ from, to }) => `notifications are met with status ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Callers who compare the status with ${from} find another.`,
      },
    },
    bump: "minor",
    why: "Both say that all is well, and some clients compare the number.",
    todo: "Keep the status.",
    before: tasks(["http: { notified: 204 }"]),
    after: tasks(["http: { notified: 202 }"]),
    inverse: ["notified-status-changed"],
    mirror: waivers.answerOnly,
  },
  "standard-fault-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `the condition \`${name}\` is answered with ${to} now, not with ${from}`,
    effects: breaking(({ name, from }) => `Callers who look for ${from} (${name}) meet another code.`),
    bump: "major",
    why: "Callers act on the code: one asks for a new token, another gives up.",
    todo: "Keep the code.",
    before: gone("code: -32010"),
    after: gone("code: -32010").replace("  wire:", "  faults: { forbidden: GONE }\n  wire:"),
    inverse: ["standard-fault-changed"],
    mirror: waivers.answerOnly,
  },
  "error-code-changed": {
    area: "errors",
    summary: ({ name, from, to }) => `the code of \`${name}\` is ${to} now, not ${from}`,
    effects: breaking(({ name, from, to }) => `Callers who look for ${from} find ${to} for \`${name}\`.`),
    bump: "major",
    why: "The code is all that callers know an error by: its name is not sent.",
    todo: "Keep the code.",
    before: gone("code: -32010"),
    after: gone("code: -32011"),
    inverse: ["error-code-changed"],
    mirror: waivers.answerOnly,
  },
  "error-data-added": {
    area: "errors",
    summary: ({ name, to }) => `the error \`${name}\` carries ${to} as \`data\` now`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Callers may read the \`data\` of \`${name}\`.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `Handlers that throw \`${name}\` without its data no longer compile.`,
      },
    },
    bump: "minor",
    why: "What was open before has a type now.",
    todo: "Give the data where handlers throw the error.",
    before: gone("code: -32010"),
    after: gone("code: -32010", "data: { fields: [{ name: id, type: string }] }"),
    inverse: ["error-data-removed"],
    mirror: waivers.answerOnly,
  },
  "error-data-removed": {
    area: "errors",
    summary: ({ name, from }) => `the error \`${name}\` no longer carries ${from} as \`data\``,
    effects: breaking(({ name }) => `Callers who read the \`data\` of \`${name}\` cannot rely on it.`),
    bump: "major",
    why: "What callers read is no longer promised.",
    todo: "Keep the type.",
    before: gone("code: -32010", "data: { fields: [{ name: id, type: string }] }"),
    after: gone("code: -32010"),
    inverse: ["error-data-added"],
    mirror: waivers.answerOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
