import { waivers } from "./rule.ts";
import { lendBook } from "./samples.ts";
import { ruleTable } from "./table.ts";

const members = (...lines: readonly string[]): string =>
  `interface:\n  auth:\n    members:\n${lines.map((line) => `      ${line}\n`).join("")}`;
const credential = "credential: { doc: Who is calling., missing: UNAUTHORIZED }";
const signature = "signature: { doc: Signature of the payload., missing: UNAUTHORIZED }";
const card = "card: { doc: Number of the card., missing: UNAUTHORIZED }";
const header = (...lines: readonly string[]): string =>
  `${members(credential, signature)}    headers:\n${lines.map((line) => `      ${line}\n`).join("")}`;
const none = members(credential, signature);
const trace = 'Trace: { doc: Number of the trace., format: "<number>" }';
const scheme = (name: string): string => none.replace("auth:\n", `auth:\n    scheme: ${name}\n`);
const faults = (code: string): string => `interface:\n  faults:\n    rateLimited: ${code}\n`;

/** How callers identify themselves, and the errors where that fails. */
export const authenticationRules = ruleTable("authentication", waivers.requestOnly, {
  "auth-scheme-changed": {
    says: "callers are authenticated by `{to}` now, not by `{from}`",
    callers: "breaking: Callers who do not authenticate by `{to}` are refused.",
    implementers: "breaking: The service has to have `{to}`.",
    why: "What proves a caller's identity in one scheme proves nothing in another.",
    todo: "Offer the other scheme in an interface of its own until callers have changed over.",
    example: [none, scheme("apiKey")],
  },
  "method-auth-added": {
    says: "`{name}` requires `{to}` in `params.api` now",
    callers: "breaking: A call of `{name}` without `{to}` is refused.",
    why: "Callers who did not have to say it do not.",
    todo: "Take it where it is given, and refuse its absence only in a later revision.",
    example: [lendBook("auth: [credential]"), lendBook("auth: [credential, signature]")],
  },
  "method-auth-removed": {
    says: "`{name}` no longer requires `{from}` in `params.api`",
    callers: "info: Callers of `{name}` may leave `{from}` out.",
    implementers: "warning: Calls reach the handler of `{name}` without proof by `{from}`.",
    why: "Less is proved before the handler runs: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
  },
  "auth-member-added": {
    says: "`params.api` may carry `{name}` now",
    callers: "info: Callers may say `{name}`; whether they have to, each operation says.",
    why: "A member by itself asks nothing: operations that require it are changes of their own.",
    example: [none, members(credential, signature, card)],
  },
  "auth-member-removed": {
    says: "`params.api` no longer knows `{name}`",
    callers: "warning: What callers say in `{name}` is ignored.",
    implementers: "warning: Nothing is proved by `{name}` any more.",
    why: "Callers go on sending a secret that the service ignores.",
    todo: "Tell callers to stop sending it.",
  },
  "auth-missing-code-changed": {
    says: "a call without `{name}` is answered with `{to}` now, not `{from}`",
    callers: "breaking: Callers who look for `{from}` when `{name}` is wrong meet `{to}`.",
    mirror: waivers.answerOnly,
    why: "Callers act on the code: one asks for a new key, another for a new password.",
    todo: "Keep the code.",
    example: [
      members(credential, signature),
      members(credential, signature.replace("UNAUTHORIZED", "CONFLICT")),
    ],
  },
  "auth-header-added": {
    says: "the header `{name}` takes part in authentication now",
    callers: "warning: Callers may have to send `{name}`: its text says when.",
    why: "Whether a header is required stands in its text only.",
    todo: "Read its `doc`; where it is required, treat it as breaking.",
    example: [none, header(trace)],
  },
  "auth-header-removed": {
    says: "the header `{name}` no longer takes part in authentication",
    callers: "warning: What callers send in `{name}` is ignored.",
    implementers: "warning: Nothing is proved by `{name}` any more.",
    why: "Callers go on sending a member that the service ignores.",
    todo: "Tell callers to stop sending it.",
  },
  "auth-header-format-changed": {
    says: "the header `{name}` is written {to} now, not {from}",
    callers: "breaking: A request whose `{name}` is written {from} is refused.",
    implementers: "breaking: Whatever reads `{name}` has to read {to}.",
    why: "What is written in one format is not read in the other; where the format names an algorithm, it is another signature.",
    todo: "Take both formats for a revision at least.",
    example: [header(trace), header(trace.replace("<number>", "id=<number>"))],
  },
  "auth-algorithm-changed": {
    says: "the text of `{name}` speaks of {to} now, not of {from}",
    callers: "breaking: What callers make as `{name}` with {from} may be refused.",
    implementers: "breaking: Whatever checks `{name}` has to know {to}.",
    why: "The text of a member of `params.api` or of a header is where its algorithm and encoding are promised.",
    todo: "Take both for a revision at least. Where only words changed, an exception says so.",
    example: [
      members(credential, "signature: { doc: ECDSA P-256 with SHA-256 in base64., missing: UNAUTHORIZED }"),
      members(credential, "signature: { doc: Ed25519 in base64., missing: UNAUTHORIZED }"),
    ],
  },
  "fault-code-changed": {
    says: "the condition `{name}` is reported as `{to}` now, not as `{from}`",
    callers: "breaking: Callers who look for `{from}` ({name}) meet `{to}`.",
    mirror: waivers.answerOnly,
    why: "Callers act on the code: one tries again later, another gives up.",
    todo: "Keep the code.",
    example: [faults("UNAVAILABLE"), faults("CONFLICT")],
  },
  "fault-added": {
    says: "the condition `{name}` is reported as `{to}` now",
    callers: "warning: Callers may meet `{to}` in a case that was not described.",
    mirror: waivers.answerOnly,
    why: "What the runtime answered in that case was not said.",
    todo: "Tell callers what to do about it.",
    example: ["# an interface without operations, which does not say rateLimited\n", faults("UNAVAILABLE")],
  },
  "fault-removed": {
    says: "the condition `{name}` is no longer said to be reported as `{from}`",
    callers: "warning: Callers can no longer count on `{from}` in that case.",
    mirror: waivers.answerOnly,
    why: "What was promised is open.",
    todo: "Keep the mapping.",
  },
});

/** A whole spec of a standard interface: its schemes, and what its one method asks for. */
function tasks(schemes: readonly string[], security: string): string {
  const declared = schemes.map((scheme) => `    ${scheme}\n`).join("");
  return `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  schemes:\n${declared}methods:\n  list:\n    security: ${security}\n`;
}
const user = "user: { kind: jwt, algorithms: [ES256] }";
const machine = "machine: { kind: api-key, header: X-Api-Key }";
const both = [user, machine];

/** Authentication schemes of a standard interface, and what its methods ask for. */
export const securityRules = ruleTable("authentication", waivers.requestOnly, {
  "scheme-added": {
    says: "the authentication scheme `{name}` is new: {to}",
    callers: "info: Callers may use `{name}` where a method takes it.",
    implementers: "breaking: The service does not start without a verifier for `{name}`.",
    why: "A scheme by itself asks nothing of callers: methods that require it are changes of their own.",
    todo: "Give the service a verifier: docs/authentication.md.",
    example: [tasks([user], "[{ user: [] }]"), tasks(both, "[{ user: [] }]")],
  },
  "scheme-removed": {
    says: "there is no authentication scheme `{name}` any more",
    callers: "warning: What callers send for `{name}` is ignored.",
    implementers: "breaking: The service does not start with a verifier for `{name}`.",
    why: "Callers go on sending a secret that the service ignores; methods that took it are changes of their own.",
    todo: "Tell callers to stop sending it.",
  },
  "scheme-changed": {
    says: "the authentication scheme `{name}` is {to} now, not {from}",
    callers: "breaking: Credentials that were made for `{name}` may be refused.",
    implementers: "warning: The verifier of `{name}` checks something else.",
    why: "What proves a caller's identity under one rule may prove nothing under another.",
    todo: "Declare a second scheme, and take both until callers have changed over.",
    example: [tasks([user], "[{ user: [] }]"), tasks([user.replace("ES256", "EdDSA")], "[{ user: [] }]")],
  },
  "scheme-changed-unused": {
    says: "the authentication scheme `{name}`, which no method uses in both revisions, is {to} now, not {from}",
    implementers: "warning: The verifier of `{name}` checks something else.",
    why: "No call that worked depended on it. A method that takes or drops the scheme is a change of its own.",
    example: [
      tasks(both, "[{ user: [] }]"),
      tasks([user, machine.replace("X-Api-Key", "X-Machine-Key")], "[{ user: [] }]"),
    ],
  },
  "scheme-loosened": {
    says: "the authentication scheme `{name}` takes more: it is {to}, not {from}",
    callers: "info: Credentials that were made for `{name}` are taken as before.",
    implementers: "warning: The verifier of `{name}` has to take more.",
    why: "Callers need not change anything. More credentials open the same methods: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
    example: [
      tasks([user], "[{ user: [] }]"),
      tasks([user.replace("ES256", "ES256, EdDSA")], "[{ user: [] }]"),
    ],
    inverse: ["scheme-changed"],
  },
  "security-tightened": {
    says: "`{name}` asks for {to} now; {from} was enough",
    callers: "breaking: A call of `{name}` with {from} is refused.",
    why: "Callers have the credentials and scopes that they needed before.",
    todo: "Take both for a revision at least.",
    example: [tasks([user], "[{ user: [] }]"), tasks([user], "[{ user: [read] }]")],
  },
  "security-loosened": {
    says: "`{name}` takes {to} now; it took {from}",
    callers: "info: Callers of `{name}` may call with {to}.",
    implementers: "warning: Calls reach the handler of `{name}` with {to}.",
    why: "Less may be proved before the handler runs: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
    example: [
      tasks(both, "[{ user: [], machine: [] }]"),
      tasks(both, "[{ user: [], machine: [] }, { user: [] }]"),
    ],
  },
  "security-exchanged": {
    says: "`{name}` takes {to} now in place of {from}",
    callers: "breaking: A call of `{name}` with {from} is refused.",
    implementers: "warning: Calls reach the handler of `{name}` with {to}.",
    why: "Callers have the credentials that they needed before, and may be unable to get others in time.",
    todo: "Take both for a revision at least.",
    example: [tasks(both, "[{ user: [] }]"), tasks(both, "[{ machine: [] }]")],
  },
  "security-restated": {
    says: "`{name}` says {to} now, not {from}",
    implementers: "info: The handler of `{name}` may find other identities for the same call.",
    bump: "patch",
    why: "The same callers are let in; the first alternative that holds gives the identity.",
    example: [tasks(both, "[{ user: [] }, { machine: [] }]"), tasks(both, "[{ machine: [] }, { user: [] }]")],
  },
});
