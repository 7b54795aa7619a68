import { waivers, type Rule } from "../model/rule.ts";

const own = (line: string): string => `interface:\n  ${line}\n`;
const services = (...names: readonly string[]): string =>
  `interface:\n  services:\n${names.map((name) => `    ${name}: { doc: ${name.replace("Service", "s")}. }\n`).join("")}`;

/** Rules about the interface as a whole. */
export const interfaceRules = {
  "interface-removed": {
    area: "interface",
    summary: ({ name, from }) => `the interface \`${name}\` (${from}) is gone`,
    effects: {
      callers: { severity: "breaking", consequence: ({ name }) => `Every call of \`${name}\` fails.` },
      implementers: {
        severity: "breaking",
        consequence: ({ name }) => `The handlers of \`${name}\` are no longer called.`,
      },
      receivers: { severity: "breaking", consequence: ({ name }) => `No event of \`${name}\` is announced.` },
    },
    bump: "major",
    why: "A spec that is no longer in the config takes all of its operations with it.",
    todo: "Keep the spec, and mark its operations `deprecated` first.",
    before: "specs:\n  - { spec: spec/library, out: generated/library, handlers: handlers/library }\n",
    after: "specs: []\n",
    inverse: ["interface-added"],
    mirror: waivers.whole,
  },
  "interface-added": {
    area: "interface",
    summary: ({ name, to }) => `the interface \`${name}\` (${to}) is new`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers may call \`${name}\`.` },
      implementers: {
        severity: "warning",
        consequence: ({ name }) =>
          `\`generate\` writes stubs for \`${name}\`, which refuse every call until they have bodies.`,
      },
    },
    bump: "minor",
    why: "No caller used it before.",
    todo: "Run `ledger-rpc generate` and write the bodies.",
    before: "specs: []\n",
    after: "specs:\n  - { spec: spec/library, out: generated/library, handlers: handlers/library }\n",
    inverse: ["interface-removed"],
    mirror: waivers.whole,
  },
  "interface-renamed": {
    area: "interface",
    summary: ({ from, to }) => `the interface is called \`${to}\` now, not \`${from}\``,
    effects: {
      callers: {
        severity: "warning",
        consequence: () => "Nothing changes on the wire; the client and its functions have other names.",
      },
      implementers: {
        severity: "warning",
        consequence: () => "Generated names that hold the interface's are others.",
      },
    },
    bump: "major",
    why: "The name is in the names of what is generated.",
    todo: "Keep the name; `title` is what people read.",
    before: own("name: library"),
    after: own("name: city-library"),
    inverse: ["interface-renamed"],
    mirror: waivers.whole,
  },
  "title-changed": {
    area: "texts",
    summary: ({ from, to }) => `the title is ${to} now, not ${from}`,
    effects: { callers: { severity: "info", consequence: () => "Callers read another title." } },
    bump: "patch",
    why: "The title is for people.",
    todo: "Nothing.",
    before: own("title: Library"),
    after: own("title: City library"),
    inverse: ["title-changed"],
    mirror: waivers.text,
  },
  "path-changed": {
    area: "interface",
    summary: ({ from, to }) => `the path is ${to} now, not ${from}`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) => `Every call that is sent to ${from} fails.`,
      },
    },
    bump: "major",
    why: "Callers have the path in their configuration.",
    todo: "Serve the old path as well, for as long as anyone uses it.",
    before: own("path: /jsonrpc"),
    after: own("path: /v2/jsonrpc"),
    inverse: ["path-changed"],
    mirror: waivers.whole,
  },
  "revision-changed": {
    area: "interface",
    summary: ({ from, to }) => `the revision is ${to} now, not ${from}`,
    effects: { callers: { severity: "info", consequence: ({ to }) => `Callers may ask for ${to}.` } },
    bump: "patch",
    why: "Each published change has a revision of its own.",
    todo: "Nothing.",
    before: own("revision: 1.2.0"),
    after: own("revision: 1.2.1"),
    inverse: ["revision-changed", "revision-went-back"],
    mirror: waivers.whole,
  },
  "revision-went-back": {
    area: "interface",
    summary: ({ from, to }) => `the revision went back from ${from} to ${to}`,
    effects: {
      callers: {
        severity: "warning",
        consequence: ({ from }) => `Callers who ask for ${from} ask for what is no longer known.`,
      },
      implementers: {
        severity: "warning",
        consequence: () => "Two revisions of the same name may be about.",
      },
    },
    bump: "minor",
    why: "A revision that was given away is not given again.",
    todo: "Count on from the highest revision that anyone has seen.",
    before: own("revision: 1.2.1"),
    after: own("revision: 1.2.0"),
    inverse: ["revision-changed"],
    mirror: waivers.whole,
  },
  "served-revision-added": {
    area: "interface",
    summary: ({ from }) => `the revision ${from} is still served`,
    effects: {
      callers: { severity: "info", consequence: ({ from }) => `Callers of ${from} are answered as before.` },
    },
    bump: "minor",
    why: "Callers do not change over on the day that a new revision is published.",
    todo: "Write what `adapter-needed` asks for, if anything.",
    before: own("revision: 1.2.0"),
    after: own("serves: [{ revision: 1.1.0, spec: ../library-1.1.0 }]"),
    inverse: ["served-revision-removed"],
    mirror: waivers.whole,
  },
  "served-revision-removed": {
    area: "interface",
    summary: ({ from }) => `the revision ${from} is no longer served`,
    effects: {
      callers: {
        severity: "breaking",
        consequence: ({ from }) =>
          `Calls that ask for ${from} are refused; those that ask for none are taken for another revision.`,
      },
      receivers: {
        severity: "warning",
        consequence: ({ from }) =>
          `Subscriptions made under ${from} receive events in the form of another revision.`,
      },
    },
    bump: "major",
    why: "A revision is retired when no caller uses it any more: `ledger_rpc_revision_requests_total` says so.",
    todo: "Keep it in `serves` until its callers have changed over.",
    before: own("serves: [{ revision: 1.1.0, spec: ../library-1.1.0 }]"),
    after: own("revision: 1.2.0"),
    inverse: ["served-revision-added"],
    mirror: waivers.whole,
  },
  "service-added": {
    area: "interface",
    summary: ({ name }) => `the service \`${name}\` was added`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers may find operations in \`${name}\`.` },
    },
    bump: "minor",
    why: "A group by itself does nothing: its operations are changes of their own.",
    todo: "Nothing.",
    before: services("BookService"),
    after: services("BookService", "CardService"),
    inverse: ["service-removed"],
    mirror: waivers.whole,
  },
  "service-removed": {
    area: "interface",
    summary: ({ name }) => `the service \`${name}\` was removed`,
    effects: {
      callers: { severity: "info", consequence: ({ name }) => `Callers find no operations in \`${name}\`.` },
    },
    bump: "patch",
    why: "A group by itself does nothing: its operations are changes of their own.",
    todo: "Nothing.",
    before: services("BookService", "CardService"),
    after: services("BookService"),
    inverse: ["service-added"],
    mirror: waivers.whole,
  },
} as const satisfies Readonly<Record<string, Rule>>;
