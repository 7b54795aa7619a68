import { waivers, type Rule } from "../model/rule.ts";

/** A whole spec of a standard interface: its schemes, and what its one method asks for. */
function tasks(schemes: readonly string[], security: string): string {
  const declared = schemes.map((scheme) => `    ${scheme}\n`).join("");
  return `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  schemes:\n${declared}methods:\n  list:\n    security: ${security}\n`;
}

const user = "user: { kind: jwt, algorithms: [ES256] }";
const machine = "machine: { kind: api-key, header: X-Api-Key }";
const both = [user, machine];

/** Authentication schemes of a standard interface, and what its methods ask for. */
export const securityRules = {
  "scheme-added": {
    area: "authentication",
    summary: ({ name, to }) => `the authentication scheme \`${name}\` is new: ${to}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Callers may use \`${name}\` where a method takes it.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The service does not start without a verifier for \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "A scheme by itself asks nothing of callers: methods that require it are changes of their own.",
    todo: "Give the service a verifier: docs/authentication.md.",
    before: tasks([user], "[{ user: [] }]"),
    after: tasks(both, "[{ user: [] }]"),
    inverse: ["scheme-removed"],
    mirror: waivers.requestOnly,
  },
  "scheme-removed": {
    area: "authentication",
    summary: ({ name }) => `there is no authentication scheme \`${name}\` any more`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ name }) => `What callers send for \`${name}\` is ignored.`,
      },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The service does not start with a verifier for \`${name}\`.`,
      },
    },
    bump: "minor",
    why: "Callers go on sending a secret that the service ignores; methods that took it are changes of their own.",
    todo: "Tell callers to stop sending it.",
    before: tasks(both, "[{ user: [] }]"),
    after: tasks([user], "[{ user: [] }]"),
    inverse: ["scheme-added"],
    mirror: waivers.requestOnly,
  },
  "scheme-changed": {
    area: "authentication",
    summary: ({ name, from, to }) => `the authentication scheme \`${name}\` is ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name }) => `Credentials that were made for \`${name}\` may be refused.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The verifier of \`${name}\` checks something else.`,
      },
    },
    bump: "major",
    why: "What proves a caller's identity under one rule may prove nothing under another.",
    todo: "Declare a second scheme, and take both until callers have changed over.",
    before: tasks([user], "[{ user: [] }]"),
    after: tasks([user.replace("ES256", "EdDSA")], "[{ user: [] }]"),
    inverse: ["scheme-changed"],
    mirror: waivers.requestOnly,
  },
  "scheme-changed-unused": {
    area: "authentication",
    summary: ({ name, from, to }) =>
      `the authentication scheme \`${name}\`, which no method uses in both revisions, is ${to} now, not ${from}`,
    effects: {
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The verifier of \`${name}\` checks something else.`,
      },
    },
    bump: "minor",
    why: "No call that worked depended on it. A method that takes or drops the scheme is a change of its own.",
    todo: "Nothing.",
    before: tasks(both, "[{ user: [] }]"),
    after: tasks([user, machine.replace("X-Api-Key", "X-Machine-Key")], "[{ user: [] }]"),
    inverse: ["scheme-changed-unused"],
    mirror: waivers.requestOnly,
  },
  "scheme-loosened": {
    area: "authentication",
    summary: ({ name, from, to }) =>
      `the authentication scheme \`${name}\` takes more: it is ${to}, not ${from}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name }) => `Credentials that were made for \`${name}\` are taken as before.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name }) => `The verifier of \`${name}\` has to take more.`,
      },
    },
    bump: "minor",
    why: "Callers need not change anything. More credentials open the same methods: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
    before: tasks([user], "[{ user: [] }]"),
    after: tasks([user.replace("ES256", "ES256, EdDSA")], "[{ user: [] }]"),
    inverse: ["scheme-changed"],
    mirror: waivers.requestOnly,
  },
  "security-tightened": {
    area: "authentication",
    summary: ({ name, from, to }) => `\`${name}\` asks for ${to} now; ${from} was enough`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `A call of \`${name}\` with ${from} is refused.`,
      },
    },
    bump: "major",
    why: "Callers have the credentials and scopes that they needed before.",
    todo: "Take both for a revision at least.",
    before: tasks([user], "[{ user: [] }]"),
    after: tasks([user], "[{ user: [read] }]"),
    inverse: ["security-loosened"],
    mirror: waivers.requestOnly,
  },
  "security-loosened": {
    area: "authentication",
    summary: ({ name, from, to }) => `\`${name}\` takes ${to} now; it took ${from}`,
    effects: {
      callers: {
        severity: "info",
        consequence: ({ name, to }) => `Callers of \`${name}\` may call with ${to}.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name, to }) => `Calls reach the handler of \`${name}\` with ${to}.`,
      },
    },
    bump: "minor",
    why: "Less may be proved before the handler runs: make sure that this is meant.",
    todo: "Have it reviewed by a person who answers for security.",
    before: tasks(both, "[{ user: [], machine: [] }]"),
    after: tasks(both, "[{ user: [], machine: [] }, { user: [] }]"),
    inverse: ["security-tightened"],
    mirror: waivers.requestOnly,
  },
  "security-exchanged": {
    area: "authentication",
    summary: ({ name, from, to }) => `\`${name}\` takes ${to} now in place of ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ name, from }) => `A call of \`${name}\` with ${from} is refused.`,
      },
      implementers: {
        severity: "warning",
        consequence: ({ name, to }) => `Calls reach the handler of \`${name}\` with ${to}.`,
      },
    },
    bump: "major",
    why: "Callers have the credentials that they needed before, and may be unable to get others in time.",
    todo: "Take both for a revision at least.",
    before: tasks(both, "[{ user: [] }]"),
    after: tasks(both, "[{ machine: [] }]"),
    inverse: ["security-exchanged"],
    mirror: waivers.requestOnly,
  },
  "security-restated": {
    area: "authentication",
    summary: ({ name, from, to }) => `\`${name}\` says ${to} now, not ${from}`,
    effects: {
      implementers: {
        severity: "info",
        consequence: ({ name }) => `The handler of \`${name}\` may find other identities for the same call.`,
      },
    },
    bump: "patch",
    why: "The same callers are let in; the first alternative that holds gives the identity.",
    todo: "Nothing.",
    before: tasks(both, "[{ user: [] }, { machine: [] }]"),
    after: tasks(both, "[{ machine: [] }, { user: [] }]"),
    inverse: ["security-restated"],
    mirror: waivers.requestOnly,
  },
} as const satisfies Readonly<Record<string, Rule>>;
