import { waivers } from "./rule.ts";
import { indented } from "./samples.ts";
import { ruleTable } from "./table.ts";

const own = (line: string): string => `interface:\n  ${line}\n`;
const services = (...names: readonly string[]): string =>
  `interface:\n  services:\n${names.map((name) => `    ${name}: { doc: ${name.replace("Service", "s")}. }\n`).join("")}`;

/** Rules about the interface as a whole. */
export const interfaceRules = ruleTable("interface", waivers.whole, {
  "interface-removed": {
    says: "the interface `{name}` ({from}) is gone",
    callers: "breaking: Every call of `{name}` fails.",
    implementers: "breaking: The handlers of `{name}` are no longer called.",
    receivers: "breaking: No event of `{name}` is announced.",
    why: "A spec that is no longer in the config takes all of its operations with it.",
    todo: "Keep the spec, and mark its operations `deprecated` first.",
    example: [
      "specs:\n  - { spec: spec/library, out: generated/library, handlers: handlers/library }\n",
      "specs: []\n",
    ],
  },
  "interface-added": {
    says: "the interface `{name}` ({to}) is new",
    callers: "info: Callers may call `{name}`.",
    implementers:
      "warning: `generate` writes stubs for `{name}`, which refuse every call until they have bodies.",
    why: "No caller used it before.",
    todo: "Run `ledger-rpc generate` and write the bodies.",
  },
  "interface-renamed": {
    says: "the interface is called `{to}` now, not `{from}`",
    callers: "warning: Nothing changes on the wire; the client and its functions have other names.",
    implementers: "warning: Generated names that hold the interface's are others.",
    bump: "major",
    why: "The name is in the names of what is generated.",
    todo: "Keep the name; `title` is what people read.",
    example: [own("name: library"), own("name: city-library")],
  },
  "title-changed": {
    area: "texts",
    says: "the title is {to} now, not {from}",
    callers: "info: Callers read another title.",
    mirror: waivers.text,
    why: "The title is for people.",
    example: [own("title: Library"), own("title: City library")],
  },
  "path-changed": {
    says: "the path is {to} now, not {from}",
    callers: "breaking: Every call that is sent to {from} fails.",
    why: "Callers have the path in their configuration.",
    todo: "Serve the old path as well, for as long as anyone uses it.",
    example: [own("path: /jsonrpc"), own("path: /v2/jsonrpc")],
  },
  "revision-changed": {
    says: "the revision is {to} now, not {from}",
    callers: "info: Callers may ask for {to}.",
    bump: "patch",
    why: "Each published change has a revision of its own.",
    example: [own("revision: 1.2.0"), own("revision: 1.2.1")],
    inverse: ["revision-changed", "revision-went-back"],
  },
  "revision-went-back": {
    says: "the revision went back from {from} to {to}",
    callers: "warning: Callers who ask for {from} ask for what is no longer known.",
    implementers: "warning: Two revisions of the same name may be about.",
    why: "A revision that was given away is not given again.",
    todo: "Count on from the highest revision that anyone has seen.",
    inverse: ["revision-changed"],
  },
  "served-revision-added": {
    says: "the revision {from} is still served",
    callers: "info: Callers of {from} are answered as before.",
    why: "Callers do not change over on the day that a new revision is published.",
    todo: "Write what `adapter-needed` asks for, if anything.",
    example: [own("revision: 1.2.0"), own("serves: [{ revision: 1.1.0, spec: ../library-1.1.0 }]")],
  },
  "served-revision-removed": {
    says: "the revision {from} is no longer served",
    callers:
      "breaking: Calls that ask for {from} are refused; those that ask for none are taken for another revision.",
    receivers: "warning: Subscriptions made under {from} receive events in the form of another revision.",
    why: "A revision is retired when no caller uses it any more: `ledger_rpc_revision_requests_total` says so.",
    todo: "Keep it in `serves` until its callers have changed over.",
  },
  "service-added": {
    says: "the service `{name}` was added",
    callers: "info: Callers may find operations in `{name}`.",
    why: "A group by itself does nothing: its operations are changes of their own.",
    example: [services("BookService"), services("BookService", "CardService")],
  },
  "service-removed": {
    says: "the service `{name}` was removed",
    callers: "info: Callers find no operations in `{name}`.",
    bump: "patch",
    why: "A group by itself does nothing: its operations are changes of their own.",
  },
});

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

/** How the calls of an interface travel, and what standard JSON-RPC says of a method and of an error. */
export const wireRules = ruleTable("interface", waivers.requestOnly, {
  "protocol-changed": {
    says: "the protocol is `{to}` now, not `{from}`",
    callers: "breaking: Every call in `{from}` is refused.",
    implementers: "breaking: Handlers are given other contexts, and are mounted otherwise.",
    mirror: waivers.whole,
    why: "Each protocol writes calls, answers and errors in its own way.",
    todo: "Serve the interface in the new protocol at a path of its own, beside the old one.",
    example: [
      envelope,
      "interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0, http: { path: /rpc } }\n  title: Tasks\n  doc: Keeps tasks.\n",
    ],
  },
  "id-pattern-changed": {
    says: "the `id` of a request matches `{to}` now, not {from}",
    callers: "breaking: Requests with other ids are refused, and get no result.",
    why: "Callers make ids by themselves, and repeat those that they stored.",
    todo: "Take every id that was right before.",
    example: [ids(), ids("^[A-Z]{3}-[0-9]{12}$")],
    inverse: ["id-pattern-changed", "id-pattern-widened"],
  },
  "id-pattern-widened": {
    says: ({ from, to }) =>
      to === ""
        ? `the \`id\` of a request is any text now, no longer of \`${from}\``
        : `the \`id\` of a request matches \`${to}\` now, as all that matched \`${from}\` does`,
    callers: "info: Callers may use ids of their own making.",
    why: "What was right before is right now.",
    example: [ids("^[0-9]{12,18}$"), ids()],
    inverse: ["id-pattern-changed", "id-pattern-widened"],
  },
  "null-error-added": {
    says: "answers with a result have `error: null` too now",
    callers:
      "warning: Callers who look whether there is an `error`, and not whether it is null, take results for errors.",
    mirror: waivers.answerOnly,
    why: "Libraries of JSON-RPC 2.0 expect a result or an error, and differ in what they make of both.",
    todo: "Leave the member out.",
    example: [envelope, nullError],
  },
  "null-error-removed": {
    says: "answers with a result no longer have `error: null`",
    callers: "warning: Callers who look for `error: null` before they take a result refuse every answer.",
    mirror: waivers.answerOnly,
    why: "A member that the interface promised is gone, though it said nothing.",
    todo: "Go on sending the member.",
  },
  "params-narrowed": {
    area: "operations",
    says: "`{name}` takes its parameters `{to}` now, not `{from}`",
    callers: "breaking: A call of `{name}` that writes them in the other way is refused.",
    why: "Parameters by name are an object, parameters by position an array.",
    todo: "Write `params: either`.",
    example: [list("params: either"), list("params: by-name")],
    inverse: ["params-narrowed", "params-widened"],
  },
  "params-widened": {
    area: "operations",
    says: "`{name}` takes its parameters by name and by position, not only `{from}`",
    callers: "info: Callers may write the parameters of `{name}` in both ways.",
    why: "What was right before is right now.",
    todo: "Nothing. From now on the order of the parameters is part of the interface.",
  },
  "parameters-moved": {
    area: "operations",
    says: "the positions of the parameters of `{name}` are {to} now, not {from}",
    callers: "breaking: A call of `{name}` by position gives values to other parameters.",
    why: "By position a value is known by its place alone: nothing fails, and everything is wrong.",
    todo: "Keep the order, and add new parameters at the end.",
    example: [
      list(
        "params: by-position",
        "payload:",
        "  fields:",
        "    - { name: state, type: string }",
        "    - { name: owner, type: string }",
      ),
      list(
        "params: by-position",
        "payload:",
        "  fields:",
        "    - { name: owner, type: string }",
        "    - { name: state, type: string }",
      ),
    ],
  },
  "parameter-removed": {
    area: "operations",
    says: "`{name}` no longer takes the parameter `{from}`",
    callers: "breaking: A call of `{name}` with `{from}` is refused.",
    why: "Surplus parameters are refused, by name and by position, as calls of something else.",
    todo: "Keep the parameter, mark it `deprecated`, and say that it has no effect.",
    example: [
      list("payload: { fields: [{ name: state, type: string, optional: true }] }"),
      list("payload: { fields: [] }"),
    ],
    inverse: ["request-field-added-optional", "request-field-added-required"],
  },
  "notifications-refused": {
    area: "operations",
    says: "`{name}` cannot be called without an `id` any more",
    callers: "breaking: A notification `{name}` is dropped, and its caller does not learn of it.",
    why: "A notification is not answered, so its caller does not learn of errors.",
    todo: "Go on taking notifications, or offer another method for calls.",
    example: [list("notify: allowed"), list("notify: never")],
    inverse: ["notifications-taken"],
  },
  "notifications-taken": {
    area: "operations",
    says: "`{name}` may be called without an `id` now",
    callers: "info: Callers may send `{name}` as a notification.",
    why: "Calls with an `id` are answered as before.",
    inverse: ["notifications-refused"],
  },
  "answers-removed": {
    area: "operations",
    says: "`{name}` is a notification now, and is never answered",
    callers: "breaking: A call of `{name}` that waits for its answer is refused.",
    mirror: waivers.answerOnly,
    why: "Callers wait for a result, or for word that it failed.",
    todo: "Offer a new method for the notification, and leave this one alone.",
    example: [list("notify: allowed"), list("notify: only")],
  },
  "answers-added": {
    area: "operations",
    says: "`{name}` is answered now where a call has an `id`",
    callers: "info: Callers may wait for the answer of `{name}`.",
    mirror: waivers.answerOnly,
    why: "What it answers is new.",
  },
  "batch-narrowed": {
    says: "only {to} calls may travel together now, not {from}",
    callers: "breaking: A batch with more calls is refused as a whole.",
    why: "None of the calls of a batch that is refused is carried out.",
    todo: "Keep the limit.",
    example: [tasks(["batch: { max: 50 }"]), tasks(["batch: { max: 10 }"])],
  },
  "batch-widened": {
    says: "{to} calls may travel together now, not only {from}",
    callers: "info: Callers may send more calls at once.",
    why: "What was right before is right now.",
    example: [tasks(["batch: false"]), tasks(["batch: { max: 10 }"])],
  },
  "transport-added": {
    says: "the interface is served over `{to}` too",
    callers: "info: Callers may call over `{to}`.",
    mirror: waivers.whole,
    why: "The other transports stay as they are.",
    todo: "Mount it: docs/protocols.md.",
    example: [tasks(["transports: [http]"]), tasks(["transports: [http, websocket]"])],
  },
  "transport-removed": {
    says: "the interface is no longer served over `{from}`",
    callers: "breaking: Callers over `{from}` do not reach the service.",
    mirror: waivers.whole,
    why: "Callers have one way to the service in their configuration.",
    todo: "Serve both for as long as anyone uses it.",
  },
  "http-statuses-changed": {
    says: "the HTTP status of errors is `{to}` now, not `{from}`",
    callers: "breaking: Callers who act on the status take an error for a success, or an answer for none.",
    mirror: waivers.answerOnly,
    why: "Some clients read the body of a 200 only, others act on the status.",
    todo: "Keep the statuses.",
    example: [tasks(["http: { status: ok }"]), tasks(["http: { status: mapped }"])],
  },
  "notified-status-changed": {
    says: "notifications are met with status {to} now, not {from}",
    callers: "warning: Callers who compare the status with {from} find another.",
    mirror: waivers.answerOnly,
    why: "Both say that all is well, and some clients compare the number.",
    todo: "Keep the status.",
    example: [tasks(["http: { notified: 204 }"]), tasks(["http: { notified: 202 }"])],
  },
  "standard-fault-changed": {
    area: "errors",
    says: "the condition `{name}` is answered with {to} now, not with {from}",
    callers: "breaking: Callers who look for {from} ({name}) meet another code.",
    mirror: waivers.answerOnly,
    why: "Callers act on the code: one asks for a new token, another gives up.",
    todo: "Keep the code.",
    example: [
      gone("code: -32010"),
      gone("code: -32010").replace("  wire:", "  faults: { forbidden: GONE }\n  wire:"),
    ],
  },
  "error-code-changed": {
    area: "errors",
    says: "the code of `{name}` is {to} now, not {from}",
    callers: "breaking: Callers who look for {from} find {to} for `{name}`.",
    mirror: waivers.answerOnly,
    why: "The code is all that callers know an error by: its name is not sent.",
    todo: "Keep the code.",
    example: [gone("code: -32010"), gone("code: -32011")],
  },
  "error-data-added": {
    area: "errors",
    says: "the error `{name}` carries {to} as `data` now",
    callers: "info: Callers may read the `data` of `{name}`.",
    implementers: "breaking: Handlers that throw `{name}` without its data no longer compile.",
    mirror: waivers.answerOnly,
    why: "What was open before has a type now.",
    todo: "Give the data where handlers throw the error.",
    example: [gone("code: -32010"), gone("code: -32010", "data: { fields: [{ name: id, type: string }] }")],
  },
  "error-data-removed": {
    area: "errors",
    says: "the error `{name}` no longer carries {from} as `data`",
    callers: "breaking: Callers who read the `data` of `{name}` cannot rely on it.",
    mirror: waivers.answerOnly,
    why: "What callers read is no longer promised.",
    todo: "Keep the type.",
  },
});
