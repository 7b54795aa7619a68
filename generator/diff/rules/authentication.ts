import { waivers, type Rule } from "../model/rule.ts";
import { lendBook } from "./samples.ts";

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
export const authenticationRules = {
  "auth-scheme-changed": {
    area: "authentication",
    summary: ({ from, to }) => `callers are authenticated by \`${to}\` now, not by \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ to }) => `Callers who do not authenticate by \`${to}\` are refused.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ to }) => `The service has to have \`${to}\`.`,
      },
    },
    bump: "major",
    why: "What proves a caller's identity in one scheme proves nothing in another.",
    todo: "Offer the other scheme in an interface of its own until callers have changed over.",
    before: none,
    after: scheme("apiKey"),
    inverse: ["auth-scheme-changed"],
    mirror: waivers.requestOnly,
  },
  "method-auth-added": {
    area: "authentication",
    summary: ({ name, to }) => `\`${name}\` requires \`${to}\` in \`params.api\` now`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, to }) => `A call of \`${name}\` without \`${to}\` is refused.`,
      },
    },
    bump: "major",
    why: "Callers who did not have to say it do not.",
    todo: "Take it where it is given, and refuse its absence only in a later revision.",
    before: lendBook("auth: [credential]"),
    after: lendBook("auth: [credential, signature]"),
    inverse: ["method-auth-removed"],
    mirror: waivers.requestOnly,
  },
  "method-auth-removed": {
    area: "authentication",
    summary: ({ name, from }) => `\`${name}\` no longer requires \`${from}\` in \`params.api\``,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name, from }) => `Callers of \`${name}\` may leave \`${from}\` out.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name, from }) =>
          `Calls reach the handler of \`${name}\` without proof by \`${from}\`.`,
      },
    },
    bump: "minor",
    why: "Less is proved before the handler runs: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
    before: lendBook("auth: [credential, signature]"),
    after: lendBook("auth: [credential]"),
    inverse: ["method-auth-added"],
    mirror: waivers.requestOnly,
  },
  "auth-member-added": {
    area: "authentication",
    summary: ({ name }) => `\`params.api\` may carry \`${name}\` now`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Callers may say \`${name}\`; whether they have to, each operation says.`,
      },
    },
    bump: "minor",
    why: "A member by itself asks nothing: operations that require it are changes of their own.",
    todo: "Nothing.",
    before: none,
    after: members(credential, signature, card),
    inverse: ["auth-member-removed"],
    mirror: waivers.requestOnly,
  },
  "auth-member-removed": {
    area: "authentication",
    summary: ({ name }) => `\`params.api\` no longer knows \`${name}\``,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `What callers say in \`${name}\` is ignored.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Nothing is proved by \`${name}\` any more.`,
      },
    },
    bump: "minor",
    why: "Callers go on sending a secret that the service ignores.",
    todo: "Tell callers to stop sending it.",
    before: members(credential, signature, card),
    after: none,
    inverse: ["auth-member-added"],
    mirror: waivers.requestOnly,
  },
  "auth-missing-code-changed": {
    area: "authentication",
    summary: ({ name, from, to }) =>
      `a call without \`${name}\` is answered with \`${to}\` now, not \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from, to }) =>
          `Callers who look for \`${from}\` when \`${name}\` is wrong meet \`${to}\`.`,
      },
    },
    bump: "major",
    why: "Callers act on the code: one asks for a new key, another for a new password.",
    todo: "Keep the code.",
    before: members(credential, signature),
    after: members(credential, signature.replace("UNAUTHORIZED", "CONFLICT")),
    inverse: ["auth-missing-code-changed"],
    mirror: waivers.answerOnly,
  },
  "auth-header-added": {
    area: "authentication",
    summary: ({ name }) => `the header \`${name}\` takes part in authentication now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `Callers may have to send \`${name}\`: its text says when.`,
      },
    },
    bump: "minor",
    why: "Whether a header is required stands in its text only.",
    todo: "Read its `doc`; where it is required, treat it as breaking.",
    before: none,
    after: header(trace),
    inverse: ["auth-header-removed"],
    mirror: waivers.requestOnly,
  },
  "auth-header-removed": {
    area: "authentication",
    summary: ({ name }) => `the header \`${name}\` no longer takes part in authentication`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `What callers send in \`${name}\` is ignored.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `Nothing is proved by \`${name}\` any more.`,
      },
    },
    bump: "minor",
    why: "Callers go on sending a member that the service ignores.",
    todo: "Tell callers to stop sending it.",
    before: header(trace),
    after: none,
    inverse: ["auth-header-added"],
    mirror: waivers.requestOnly,
  },
  "auth-header-format-changed": {
    area: "authentication",
    summary: ({ name, from, to }) => `the header \`${name}\` is written ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `A request whose \`${name}\` is written ${from} is refused.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name, to }) => `Whatever reads \`${name}\` has to read ${to}.`,
      },
    },
    bump: "major",
    why: "What is written in one format is not read in the other; where the format names an algorithm, it is another signature.",
    todo: "Take both formats for a revision at least.",
    before: header(trace),
    after: header(trace.replace("<number>", "id=<number>")),
    inverse: ["auth-header-format-changed"],
    mirror: waivers.requestOnly,
  },
  "auth-algorithm-changed": {
    area: "authentication",
    summary: ({ name, from, to }) => `the text of \`${name}\` speaks of ${to} now, not of ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `What callers make as \`${name}\` with ${from} may be refused.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name, to }) => `Whatever checks \`${name}\` has to know ${to}.`,
      },
    },
    bump: "major",
    why: "The text of a member of `params.api` or of a header is where its algorithm and encoding are promised.",
    todo: "Take both for a revision at least. Where only words changed, an exception says so.",
    before: members(
      credential,
      "signature: { doc: ECDSA P-256 with SHA-256 in base64., missing: UNAUTHORIZED }",
    ),
    after: members(credential, "signature: { doc: Ed25519 in base64., missing: UNAUTHORIZED }"),
    inverse: ["auth-algorithm-changed"],
    mirror: waivers.requestOnly,
  },
  "fault-code-changed": {
    area: "authentication",
    summary: ({ name, from, to }) =>
      `the condition \`${name}\` is reported as \`${to}\` now, not as \`${from}\``,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from, to }) => `Callers who look for \`${from}\` (${name}) meet \`${to}\`.`,
      },
    },
    bump: "major",
    why: "Callers act on the code: one tries again later, another gives up.",
    todo: "Keep the code.",
    before: faults("UNAVAILABLE"),
    after: faults("CONFLICT"),
    inverse: ["fault-code-changed"],
    mirror: waivers.answerOnly,
  },
  "fault-added": {
    area: "authentication",
    summary: ({ name, to }) => `the condition \`${name}\` is reported as \`${to}\` now`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ to }) => `Callers may meet \`${to}\` in a case that was not described.`,
      },
    },
    bump: "minor",
    why: "What the runtime answered in that case was not said.",
    todo: "Tell callers what to do about it.",
    before: "# an interface without operations, which does not say rateLimited\n",
    after: faults("UNAVAILABLE"),
    inverse: ["fault-removed"],
    mirror: waivers.answerOnly,
  },
  "fault-removed": {
    area: "authentication",
    summary: ({ name, from }) => `the condition \`${name}\` is no longer said to be reported as \`${from}\``,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Callers can no longer count on \`${from}\` in that case.`,
      },
    },
    bump: "minor",
    why: "What was promised is open.",
    todo: "Keep the mapping.",
    before: faults("UNAVAILABLE"),
    after: "# an interface without operations, which does not say rateLimited\n",
    inverse: ["fault-added"],
    mirror: waivers.answerOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
