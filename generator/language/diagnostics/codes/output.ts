import { didYouMean, entry } from "../entry.ts";

/** The diagnostics of the files that a run writes, keeps or deletes. */
export const outputCodes = {
  "call-payload": entry<{ method: string; reason: string; suggestion: string | undefined }>({
    severity: "warning",
    message: ({ method, reason }) => `the payload does not fit \`${method}\`: ${reason}`,
    hint: didYouMean,
    rule: "Payloads that code of the project writes out fit their operations. `calls` of a spec in `ledger-rpc.yaml` names the folders that are looked at, such as those of seed data. A value that only the running program knows is not judged.",
    example: '# seed/books.ts\nawait call("BookService.GetBook", { ⟨number → id⟩: "1" });\n',
  }),
  "spec-file-ignored": entry({
    severity: "warning",
    message: () => "this file is not read: spec files end in `.yaml`",
    hint: () => "rename it, or move it out of the spec's folder",
    rule: "A spec is all `*.yaml` files below its folder. A file that only looks like one of them is easily missed.",
    example: "# spec/ledger/types.⟨yml → yaml⟩",
  }),
  "auth-unsigned": entry<{ name: string; missing: string }>({
    message: ({ name, missing }) => `\`${name}\` does not list ${missing} under \`auth\``,
    hint: () =>
      "write `auth: [credential, keyId, signature]`; `auth: [credential]` for a caller who has no key yet; `apiKey` in either",
    rule: "A caller of an envelope is known by its credential, and proves its key by `keyId` and `signature` together. A method for callers who have no key yet lists neither of these: its calls are not signed. A body without an envelope says so by `flat`.",
    example: "methods:\n  BookService.GetBook:\n    auth: [credential, ⟨ → keyId, ⟩signature]\n",
  }),
  "auth-member-unsupported": entry<{ name: string }>({
    message: ({ name }) => `neither the service nor the client knows the member \`${name}\` of params.api`,
    hint: () => "the members are `credential`, `keyId`, `signature` and `apiKey`",
    rule: "`auth.members` says which code is answered when one of the four members of `params.api` is missing. Other ways to authenticate have no code in the service.",
    example:
      "interface:\n  auth:\n    members:\n      ⟨token → credential⟩: { doc: Who calls., missing: UNAUTHORIZED }\n",
  }),
  "emitter-failed": entry<{ reason: string }>({
    message: ({ reason }) => `this target of the project failed: ${reason}`,
    hint: () => "docs/generator.md says what such a module exports",
    rule: "`targets` may list modules of the project, as paths that begin with `./`. Each exports an `emitter`, whose files lie in a folder of its own: below `out`, under its name. What it throws is reported with its path, and nothing is written.",
    example:
      "export const emitter = {⟨ name: 'csv', emit: ( → \n  name: 'csv',\n  emit: (model, { out }⟩) => [{ path: ⟨'fields.csv', text: '' }]  → `${out}/csv/fields.csv`, text: '' }],\n⟩};",
  }),
  "foreign-file": entry({
    message: () =>
      "this file is in the way: the generator would write here, and did not write what is here now",
    hint: () => "move it elsewhere, or delete it if you do not need it, and run `generate` again",
    rule: "The generator overwrites and deletes only files that it wrote itself: those its manifest lists. A file of yours that lies where a generated one belongs is never lost; the run stops before anything is written.",
    example:
      "# generated/ledger⟨/types.ts written by hand, before the first run →  holds generated files; your own lie in folders of their own⟩",
  }),
  "edited-file": entry({
    severity: "info",
    message: () => "this is not what was last written here; generated text takes its place",
    hint: () => "change the spec instead, and run `generate`; what belongs to you goes into handler files",
    rule: "Files below the output folder belong to the generator. What is changed in them by hand does not survive the next run; `check` shows it as drift.",
    example:
      "# ⟨generated/ledger/types.ts: a field added by hand → spec/ledger/types/account.yaml: the field added, then `ledger-rpc generate`⟩",
  }),
  "manifest-unreadable": entry({
    message: () => "this is not a manifest: the generator cannot tell its own files from yours",
    hint: () =>
      "restore it from version control; or, if the folder holds nothing of yours, delete the folder and run `generate` again",
    rule: "`manifest.json` lists what the generator wrote, and with that what it may overwrite and delete. After a merge conflict take either side whole, then run `generate`.",
    example:
      "# ⟨generated/ledger/manifest.json with conflict markers in it → either side of the conflict, whole, then `ledger-rpc generate`⟩",
  }),
  "target-unprinted": entry<{ target: string; protocol: string }>({
    severity: "info",
    message: ({ target, protocol }) =>
      `the target \`${target}\` writes nothing of this interface: it does not know the protocol ${protocol}`,
    hint: ({ target }) => `drop \`${target}\` from \`targets\`, unless another spec of the project needs it`,
    rule: "A target prints the interfaces of the protocols that it knows: `shapes` and `revisions` those of the signed envelope alone. One that is named for another prints nothing, which is said because files are expected.",
    example:
      "targets: [types⟨, revisions → ⟩]\n# spec/interface.yaml\ninterface:\n  wire: { protocol: json-rpc-2.0 }\n",
  }),
  "orphan-handler": entry<{ method: string | undefined; handlerPath: string | undefined }>({
    severity: "warning",
    message: ({ method, handlerPath }) => {
      if (method === undefined) return "this handler's method is not in the spec";
      return handlerPath === undefined
        ? `this is the handler of \`${method}\`, which is not in the spec any more`
        : `this was the handler of \`${method}\`, which has another in ${handlerPath}`;
    },
    hint: ({ handlerPath }) =>
      handlerPath === undefined
        ? "delete the file, or let `generate --prune` set it aside; or, if the method has a new name, write `renamedFrom` at it"
        : "move what you need there, and delete the file; or let `generate --prune` set it aside",
    rule: "A handler file is yours: when its method leaves the spec, the file stays and is reported. `generate --prune` moves it, as it is, to the folder `_orphaned` beside the handlers. A method that only changed its name says so with `renamedFrom`; its file is then moved, body and all.",
    example:
      "methods:\n  FindAccount:⟨ # was GetAccount → ⟩\n    doc: Finds an account.⟨ → \n    renamedFrom: GetAccount⟩\n",
  }),
  "handler-moved": entry<{ from: string; names: string | undefined }>({
    severity: "info",
    message: ({ from, names }) => `moved here from ${from}${names === undefined ? "" : `; ${names}`}`,
    hint: () => undefined,
    rule: "A method that is renamed with `renamedFrom` takes its handler file along: the file is moved, the exported function and what it imports get their new names, files beside it import it from there, and the body stays as it is, byte for byte.",
    example:
      "methods:\n  FindAccount:⟨ # was GetAccount; its handler is orphaned → ⟩\n    doc: Finds an account.⟨ → \n    renamedFrom: GetAccount⟩\n",
  }),
  "handler-kept": entry<{ reason: string; change: string }>({
    severity: "warning",
    message: ({ reason, change }) => `this handler file is left as it is, because ${reason}: ${change}`,
    hint: () => "make the change by hand",
    rule: "The generator changes a handler file only where it can tell its own words from yours. It leaves a file that does not parse, or that does not export what it should, as it is, byte for byte.",
    example: "export const getAccount: GetAccountHandler<Contexts> = async (payload⟨ → )⟩ => {",
  }),
  "handler-import": entry<{ name: string }>({
    severity: "warning",
    message: ({ name }) => `this says \`${name}\`, which has another name or place now`,
    hint: () => "write it anew: bodies are yours, so the generator does not",
    rule: "A handler file that moves to another folder has its imports made right, and renamed types are followed. But a body is never touched: an `import(…)` in it keeps its path, and `types.Note` keeps the name of a type.",
    example: [
      `export const getNote = async () => (await import('../clock.ts')).now();`,
      'import { now } from "../clock.ts"; // outside of the body',
    ],
  }),
  "handler-missing": entry<{ method: string; name: string }>({
    severity: "warning",
    message: ({ method, name }) =>
      `this is where the handler of \`${method}\` belongs, and it exports no \`${name}\``,
    hint: ({ name }) =>
      `export the handler as \`${name}\`; or move the file away, and \`generate\` creates a stub`,
    rule: "The handlers folder has one file a method, which exports the handler under the method's name: `index.ts` imports it from there. A file of yours that lies there is never written over.",
    example:
      "// handlers/note-service/get-note.ts\nexport const ⟨note = 1; → getNote: GetNoteHandler<Contexts> = async ({ id }) => …⟩",
  }),
  "adapter-needed": entry<{
    revision: string;
    name: string;
    file: string;
    rule: string | undefined;
    at: string | undefined;
    summary: string | undefined;
  }>({
    message: ({ revision, name, rule, at, summary }) =>
      `callers of ${revision} need \`${name}\`` +
      (rule === undefined ? "" : `, because ${summary} (${rule} at ${at})`),
    hint: ({ name, file }) => `write \`${name}\` in ${file}`,
    rule: "A spec that `serves` an earlier revision converts its requests, answers and events to and from the next one. Where a value has no counterpart there, people say what it becomes: each function that they have to write is a member of the type `ByHand` in the `adapter.ts` of the revision, and goes to the file of that revision in the folder of handlers. That file is created once, with functions that throw; everything else has been written when this is said.",
    example:
      'export const byHand: ByHand = {\n  downAccountStatus: () => ⟨{\n    throw unimplemented("downAccountStatus of revision 1.0.11");\n  } → "SUSPENDED"⟩,\n};',
  }),
  "old-calls-refused": entry<{
    revision: string;
    name: string;
    file: string;
    rule: string;
    at: string;
    summary: string;
  }>({
    severity: "info",
    message: ({ revision, rule, at, summary }) =>
      `some calls of ${revision} are refused now, because ${summary} (${rule} at ${at})`,
    hint: ({ name, file }) =>
      `where you know better, write \`${name}\` in ${file}: it gets the payload that was refused`,
    rule: "A request of an earlier revision is passed on where the next one has a narrower rule; what that refuses is answered in the words of the caller's revision. Each such rule is named once, until the file of the revision has its `adapt…` function.",
    example: [
      "fields:\n  - { name: text, type: string, maxLength: 200, doc: Once it was 300. }\n",
      "export const byHand: ByHand = {\n  adaptAddNote: ({ text, ...rest }) => ({ ...rest, text: text.slice(0, 200) }),\n};",
    ],
  }),
  "orphan-adapter": entry<{ revision: string; isServed: boolean }>({
    severity: "warning",
    message: ({ revision, isServed }) =>
      isServed
        ? `nothing of revision ${revision} is left to be converted by hand`
        : `revision ${revision} is not served`,
    hint: () => "delete it, if you do not need it any more",
    rule: "The folder of handlers has a file for each earlier revision of which people have to convert something. It is theirs: it stays when the revision is no longer served.",
    example:
      "# ⟨ledger/handlers/ledger/revisions/1.0.10.ts, and `serves` does not list 1.0.10 → the file is deleted together with the entry of `serves`⟩",
  }),
  "field-unread": entry<{ method: string; field: string }>({
    severity: "info",
    message: ({ method, field }) =>
      `callers of \`${method}\` may send \`${field}\`, and its handler does not read it: it has no effect`,
    hint: ({ field }) => `read \`${field}\`, or say in a \`//\` comment that names it why it has no effect`,
    rule: "An optional field that is added to a request compiles with every handler, also with one that ignores it. The file of the handler names each optional field of its payload, or passes the payload to another module as a whole.",
    example:
      "export const getNote: GetNoteHandler<Contexts> = async ({ id⟨ }) => …\n// and the payload takes `language`, too → , language }) => …⟩",
  }),
  "handler-elsewhere": entry<{ method: string; handlerPath: string; name: string }>({
    severity: "warning",
    message: ({ method, handlerPath }) =>
      `this file holds a handler of \`${method}\`, but the one that is called is in ${handlerPath}, which is a stub`,
    hint: ({ name, handlerPath }) =>
      `move the file to ${handlerPath.slice(handlerPath.lastIndexOf("/") + 1)}, or export \`${name}\` there from here`,
    rule: "A method's handler is imported from the one file that belongs to it. A file that is renamed or moved by hand is yours to name; then the file that belongs to the method has to export the handler from there, or gets a stub.",
    example:
      '⟨# → //⟩ note-service/get-note.ts⟨ renamed to note-service → \nexport { getNote } from ".⟩/fetch-note.ts⟨ → ";⟩',
  }),
  "handler-changed": entry({
    message: () => "this file has changed while `generate` was at work: it is as its author left it",
    hint: () => "run `generate` again",
    rule: "A file that people write is changed or moved only while it is what the run has read, byte for byte; and every one of them is compared once more when the run is done.",
    example: "# saved ⟨by an editor in the middle of a run → before, or after⟩",
  }),
  "orphan-imported": entry<{ importer: string }>({
    severity: "info",
    message: ({ importer }) => `this file stays: ${importer} imports it`,
    hint: () => "move what is needed of it to a file of its own, and run `generate --prune` again",
    rule: "`generate --prune` sets a handler file aside when its method is gone, unless another file of the folder still imports something from it.",
    example: 'import { pageSize } from "./⟨list-notes.ts"; // whose method is gone → page-size.ts";⟩',
  }),
  "file-unreadable": entry<{ reason: string }>({
    message: ({ reason }) => `cannot be read: ${reason}`,
    hint: () => "check that it is a file and that you may read it",
    rule: "A run reads the config, the spec, and every file that it may have to replace. It stops before anything is written when it cannot.",
    example: "# ⟨a folder named generated/ledger/types.ts → no folder where a file belongs⟩",
  }),
  "file-unwritable": entry<{ reason: string }>({
    message: ({ reason }) => `cannot be written: ${reason}`,
    hint: () => "make the folder writable, or free some space, and run `generate` again",
    rule: "Files are replaced as a whole: written beside their place, then renamed. A run that cannot go on leaves each file either as it was or as it should be; the next run does the rest.",
    example: "# generated/ ⟨is read-only → may be written by the account that runs `ledger-rpc generate`⟩",
  }),
};
