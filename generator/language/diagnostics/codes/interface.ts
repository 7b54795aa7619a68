import { didYouMean, entry, listed } from "../entry.ts";

/** An example's spec of an earlier revision. */
const earlier = (name = "library"): string =>
  `# ../${name}-1.1.0/interface.yaml\ninterface:\n  name: ${name}\n  title: As it was\n  revision: 1.1.0\n  path: /jsonrpc\n  doc: As it was.\n`;

/** The diagnostics of the interface as a whole and of the specs it uses. */
export const interfaceCodes = {
  "no-interface": entry<{ folder: string }>({
    message: ({ folder }) => `no file under ${folder} has an \`interface\``,
    hint: () => "add one file with `interface:` and its name, title, revision and path",
    rule: "A spec is a folder of YAML files, one of which says what the interface is called and where it is served.",
    example:
      "⟨rules:\n  utc:\n    doc: Times are in UTC → interface:\n  name: clock\n  title: Clock\n  revision: 1.0.0\n  path: /jsonrpc\n  doc: Tells the time⟩.\n",
  }),
  "two-interfaces": entry({
    message: () => "this spec has a second `interface`",
    hint: () => "one folder is one interface: move this one, and what belongs to it, to a folder of its own",
    rule: "A folder describes one interface. Another interface is another folder, which may use this one.",
    example:
      "# ⟨clock → interface⟩.yaml\ninterface:\n  name: ⟨clock\n# calendar. → calendar\n  uses: [../clock]\n# ../clock/interface.⟩yaml\ninterface:\n  name: ⟨calendar → clock⟩\n",
  }),
  "uses-not-found": entry<{ folder: string }>({
    message: ({ folder }) => `there is no spec in ${folder}`,
    hint: () => "paths in `uses` are relative to the folder of this spec",
    rule: "`uses` lists folders of other specs, relative to the folder of the spec that uses them.",
    example:
      "# interface.yaml\ninterface:\n  uses: [⟨ → ../⟩city]\n# ../city/interface.yaml\ninterface:\n  name: city\n",
  }),
  "uses-cycle": entry<{ chain: readonly string[] }>({
    message: ({ chain }) =>
      chain.length === 2 ? "the spec uses itself" : `specs use each other in a circle: ${chain.join(" → ")}`,
    hint: () => "move what both need into a spec that both use",
    rule: "A spec can use another only if that one does not use it, directly or through others: otherwise neither can be read first.",
    example:
      "# interface.yaml\ninterface:\n  name: library\n  uses: [../city]\n# ../city/interface.yaml\ninterface:\n  name: city⟨\n  uses: [../library] → ⟩\n",
  }),
  "uses-collision": entry<{ what: string; name: string }>({
    message: ({ what, name }) => `the ${what} \`${name}\` is defined in a used spec too`,
    hint: () => "use that one, or give this one another name",
    rule: "Own definitions do not reuse a used name, and two used specs do not define the same name: a reference means one thing only.",
    example:
      "# interface.yaml\ninterface:\n  uses: [../city]\n# branch.yaml\ntypes:\n  ⟨Address → BranchAddress⟩:\n    doc: Where a branch is.\n    type: string\n# ../city/interface.yaml\ninterface:\n  name: city\n# ../city/address.yaml\ntypes:\n  Address:\n    doc: Street and number.\n    type: string\n",
  }),
  "uses-ambiguous": entry<{ key: string }>({
    message: ({ key }) => `two used specs give \`${key}\``,
    hint: ({ key }) => `write \`${key}\` in this interface`,
    rule: "An interface without `auth` or `faults` of its own has those of the spec it uses; if several give them, it has to say its own.",
    example:
      "# interface.yaml\ninterface:\n  uses: [../city, ../school]\n# ../city/interface.yaml\ninterface:\n  name: city\n  faults:\n    badInput: BAD_INPUT\n    unauthorized: UNAUTHORIZED\n    badCredential: UNAUTHORIZED\n    unknownKey: UNAUTHORIZED\n    invalidSignature: UNAUTHORIZED\n    conflict: CONFLICT\n    rateLimited: UNAVAILABLE\n    unavailable: UNAVAILABLE\n    internal: INTERNAL\n# ../school/interface.yaml\ninterface:\n  name: school⟨\n  faults:\n    badInput: NOT_FOUND_BOOK → ⟩\n",
  }),
  "extends-not-found": entry<{ folder: string }>({
    message: ({ folder }) => `there is no spec in ${folder}`,
    hint: () =>
      "begin the path with `./` or `../` to name a folder beside this one; without them it is a folder of an installed package",
    rule: "`extends` lists folders of specs whose definitions this one has as its own: relative to its folder, or in a package under `node_modules`.",
    example:
      "# interface.yaml\ninterface:\n  extends: [⟨ → ../⟩city]\n# ../city/interface.yaml\ninterface:\n  name: city\n",
  }),
  "extends-cycle": entry<{ chain: readonly string[] }>({
    message: ({ chain }) =>
      chain.length === 2
        ? "the spec extends itself"
        : `specs extend each other in a circle: ${chain.join(" → ")}`,
    hint: () => "move what both have into a spec that both extend",
    rule: "A spec can extend another only if that one does not extend it, directly or through others.",
    example:
      "# interface.yaml\ninterface:\n  name: library\n  extends: [../city]\n# ../city/interface.yaml\ninterface:\n  name: city⟨\n  extends: [../library] → ⟩\n",
  }),
  "extends-collision": entry<{ what: string; name: string }>({
    message: ({ what, name }) => `the ${what} \`${name}\` is defined in an extended spec too`,
    hint: ({ name }) =>
      `add \`${name}\` to \`except\` of the interface to have this one instead, or give it another name`,
    rule: "A spec defines a name of a spec that it extends only if `except` lists it: otherwise it would have two.",
    example:
      "# interface.yaml\ninterface:\n  extends: [../city]⟨ → \n  except: [Address]⟩\n# branch.yaml\ntypes:\n  Address:\n    doc: Where a branch is.\n    type: string\n# ../city/interface.yaml\ninterface:\n  name: city\n# ../city/address.yaml\ntypes:\n  Address:\n    doc: Street and number.\n    type: string\n",
  }),
  "except-unknown": entry<{ name: string; suggestion: string | undefined }>({
    message: ({ name }) => `no extended spec defines \`${name}\``,
    hint: didYouMean,
    rule: "`except` names definitions of extended specs that this one does not take over.",
    example:
      "# interface.yaml\ninterface:\n  extends: [../city]\n  except: [⟨Adress → Address⟩]\n# ../city/interface.yaml\ninterface:\n  name: city\n# ../city/address.yaml\ntypes:\n  Address:\n    doc: Street and number.\n    type: string\n",
  }),
  "fault-missing": entry<{ missing: readonly string[]; inherits: boolean }>({
    message: ({ missing }) => `no code is given for ${listed(missing)}`,
    hint: ({ inherits }) =>
      inherits ? undefined : "write them under `faults` of the interface, each with one of the `errors`",
    rule: "The runtime detects these conditions itself, for every method, and reports each as the code that `faults` gives: badInput, unauthorized, badCredential, unknownKey, invalidSignature, conflict, rateLimited, unavailable and internal. A spec that uses another may leave `faults` out and has those.",
    example:
      "interface:\n  faults:\n    badInput: BAD_INPUT\n    ⟨ → unauthorized: UNAUTHORIZED\n    badCredential: UNAUTHORIZED\n    unknownKey: UNAUTHORIZED\n    invalidSignature: UNAUTHORIZED\n    conflict: CONFLICT\n    rateLimited: UNAVAILABLE\n    unavailable: UNAVAILABLE\n    ⟩internal: INTERNAL\n",
  }),
  "serves-not-found": entry<{ folder: string }>({
    message: ({ folder }) => `there is no spec in ${folder}`,
    hint: () => "copy the spec as it was in that revision to a folder beside this one, and name it here",
    rule: "`serves` lists the earlier revisions that are served beside this one, each with the folder of its spec, relative to the folder of this one.",
    example: [
      "# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n",
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
  "serves-broken": entry<{ folder: string; mistakes: number }>({
    message: ({ folder, mistakes }) =>
      `the spec in ${folder} cannot be served: it has ${mistakes} mistake${mistakes === 1 ? "" : "s"} of its own`,
    hint: () => "put it right as it was published, or drop the revision from `serves`",
    rule: "The spec of an earlier revision is a whole spec: it passes every check on its own.",
    example: [
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}types:\n  Shelf:\n    doc: A shelf.\n    type: Bok\n`,
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
  "serves-other-interface": entry<{ folder: string; name: string; other: string }>({
    message: ({ folder, name, other }) => `the spec in ${folder} is of \`${other}\`, not of \`${name}\``,
    hint: () => "name the folder of an earlier revision of this interface",
    rule: "What is served beside an interface is that same interface as it was: it has the same `name`.",
    example: [
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../school-1.1.0 }\n${earlier("school")}`,
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
  "serves-other-revision": entry<{ folder: string; revision: string; other: string }>({
    message: ({ folder, revision, other }) =>
      `the spec in ${folder} is of revision ${other}, not of ${revision}`,
    hint: ({ other }) => `write \`revision: ${other}\`, or name the folder of the other one`,
    rule: "The `revision` of an entry is what its callers ask for and what the spec in its folder says of itself: the two are the same.",
    example: [
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.0.9, spec: ../library-1.1.0 }\n${earlier()}`,
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
  "serves-repeated": entry<{ revision: string }>({
    message: ({ revision }) => `revision ${revision} is listed twice`,
    hint: () => "keep one of the two",
    rule: "Each revision that is served is listed once: a caller who asks for it is answered in one way.",
    example: [
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
  "serves-not-earlier": entry<{ revision: string; current: string }>({
    message: ({ revision, current }) =>
      revision === current
        ? `${revision} is the revision that this spec describes`
        : `${revision} is later than ${current}, the revision that this spec describes`,
    hint: () => "list earlier revisions only: the one that this spec describes is served anyway",
    rule: "`serves` lists revisions before the one that the spec describes. Requests and answers of theirs are converted to that one and back.",
    example: [
      "# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.2.0, spec: . }\n",
      `# interface.yaml\ninterface:\n  serves:\n    - { revision: 1.1.0, spec: ../library-1.1.0 }\n${earlier()}`,
    ],
  }),
};
