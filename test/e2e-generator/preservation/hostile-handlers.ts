import type { Part } from "./kept-text.ts";

/** What a handler file is about. */
export interface Subject {
  readonly value: string;
  readonly type: string;
  /** The doc comment that the generator writes. */
  readonly doc: string;
  /** Relative modules as seen from the file. */
  readonly handlersModule: string;
  readonly typesModule: string;
  readonly contextsModule: string;
  /** A word that occurs in no other file. */
  readonly mark: string;
}

interface Hostile {
  readonly name: string;
  parts(subject: Subject): readonly Part[];
  /** What is done to the parts' text in the end. */
  readonly written?: "crlf" | "bom" | "crlf-bom";
}

function imports({ type, handlersModule, contextsModule }: Subject): readonly Part[] {
  return [
    "import type { ",
    { imported: `${type}Handler` },
    ' } from "',
    { module: handlersModule },
    '";\nimport type { Contexts } from "',
    { module: contextsModule },
    '";\n\n',
  ];
}

function declared(subject: Subject, body: string): readonly Part[] {
  const { value, type, doc } = subject;
  return [
    ...imports(subject),
    { doc: `${doc}\n` },
    "export const ",
    { name: value },
    ": ",
    { used: `${type}Handler` },
    `<Contexts> = ${body};`,
    { exportPlace: true },
  ];
}

/** Files that people write and that generators break. Their texts need not compile, or mean anything. */
export const hostiles: readonly Hostile[] = [
  {
    name: "comments everywhere",
    parts: (subject) => [
      `#!/usr/bin/env node\n// @ts-nocheck ${subject.mark}\n/* eslint-disable */\n`,
      ...imports(subject),
      "/** @internal mine */\n/* and this */ // and that\n",
      { doc: `${subject.doc}\n` },
      "export const ",
      { name: subject.value },
      " /* name */ : /* type */ ",
      { used: `${subject.type}Handler` },
      "<Contexts> /** is */ = /* } */ async (/* no payload */) /* : x */ => {\n",
      `  // ${subject.value} ${subject.type}Handler } */ \`\n  /** mine */\n  return /* {{ */ {};\n} // end\n/* the end */;`,
      { exportPlace: true },
      "\n// trailing ${\n",
    ],
  },
  {
    name: "templates and expressions with braces",
    parts: (subject) =>
      declared(
        subject,
        `async () => {\n  const a = \`}\${"}" + \`\${{ a: "{" }["a"]}\`}{\`; // ${subject.mark}\n  const b = /[}\\]{"'\`]/u, c = "\\"}", d = '{';\n  return { a, b, c, d, e: <T,>(x: T) => x };\n}`,
      ),
  },
  {
    name: "overloads, and recursion under its own name",
    parts: (subject) => [
      `// ${subject.mark}\n`,
      { doc: `${subject.doc}\n` },
      // The function speaks of itself, so its name stays and another is added.
      `export async function ${subject.value}(payload: string): Promise<string>;\nexport async function ${subject.value}(payload: number, depth?: number): Promise<number>;\nexport async function ${subject.value}(payload: unknown): Promise<unknown> {\n  return payload === 0 ? 0 : await ${subject.value}(0);\n}`,
      { exportPlace: true },
      "\n",
    ],
  },
  {
    name: "overloads alone",
    parts: (subject) => [
      `// ${subject.mark}\n`,
      { doc: `${subject.doc}\n` },
      "export async function ",
      { name: subject.value },
      "(payload: string): Promise<string>;\nexport async function ",
      { name: subject.value },
      "(payload: unknown): Promise<unknown> {\n  return payload;\n}",
      { exportPlace: true },
    ],
  },
  {
    name: "two exports in one statement, used by a third",
    parts: (subject) => [
      ...imports(subject),
      { doc: `${subject.doc}\n` },
      `export const ${subject.value}: `,
      { used: `${subject.type}Handler` },
      `<Contexts> = async () => ({}), other = "${subject.mark}";`,
      { exportPlace: true },
      `\nexport const third = [${subject.value}, other];\nexport { third as fourth };\n`,
    ],
  },
  {
    name: "exported apart from what it is",
    parts: (subject) => [
      `const own = async () => "${subject.mark}";\nexport { own as `,
      { name: subject.value },
      ", own as alsoMine };\n",
    ],
  },
  {
    name: "exported under its name by a clause",
    parts: (subject) => [
      `async function ${subject.value}() { return "${subject.mark}"; }\nexport { `,
      { imported: subject.value },
      " };\n",
    ],
  },
  {
    name: "its type in its body",
    parts: (subject) => [
      `// ${subject.mark}\nimport type { `,
      { imported: `${subject.type}Handler` },
      ' } from "',
      { module: subject.handlersModule },
      '";\nimport type { ',
      { imported: `${subject.type}Payload` },
      ", ",
      { imported: `${subject.type}Result` },
      ' as Result } from "',
      { module: subject.typesModule },
      '";\n',
      { doc: `${subject.doc}\n` },
      "export const ",
      { name: subject.value },
      `: unknown = async (payload: ${subject.type}Payload) => {\n  const again: ${subject.type}Handler<any> | undefined = undefined;\n  return (payload, again, {}) as Result;\n};`,
      { exportPlace: true },
    ],
  },
  {
    name: "a doc comment of its author",
    parts: (subject) => [
      ...imports(subject),
      `/** ${subject.mark}: mine, with *\\/ in it. */\nexport const `,
      { name: subject.value },
      ": ",
      { used: `${subject.type}Handler` },
      "<Contexts> = async () => ({});",
      { exportPlace: true },
      "\n\n\n\n",
    ],
  },
  {
    name: "a doc comment that stands apart",
    parts: (subject) => [
      ...imports(subject),
      `${subject.doc}\n\n// ${subject.mark}\nexport const `,
      { name: subject.value },
      ": ",
      { used: `${subject.type}Handler` },
      "<Contexts> = async () => ({});",
      { exportPlace: true },
    ],
  },
  {
    name: "CRLF and tabs",
    written: "crlf",
    parts: (subject) => [
      ...declared(subject, `async () => {\n\t\t// ${subject.mark}  \n\n\n\treturn {\t};  \n}`),
      "\n  \n",
    ],
  },
  {
    name: "a byte order mark",
    written: "bom",
    parts: (subject) => declared(subject, `async () => ({ a: "${subject.mark}" })`),
  },
  {
    name: "CRLF and a byte order mark, wrapped",
    written: "crlf-bom",
    parts: (subject) => [
      ...imports(subject),
      { doc: `${subject.doc}\n` },
      "export const ",
      { name: subject.value },
      " = logged(async () => {\n",
      `  return \`${subject.mark}\n{\`;\n}) satisfies `,
      { used: `${subject.type}Handler` },
      "<Contexts>;",
      { exportPlace: true },
      "\nfunction logged<F>(f: F): F { return f }\n",
    ],
  },
  {
    name: "syntax errors",
    parts: ({ value, mark }) => [`// ${mark}\nexport const ${value} = async ({ => {\n\treturn \`\${;\n`],
  },
  {
    name: "a merge conflict",
    parts: (subject) => [
      `import type { ${subject.type}Handler } from "${subject.handlersModule}";\n<<<<<<< HEAD\nexport const ${subject.value} = 1; // ${subject.mark}\n=======\nexport const ${subject.value} = 2;\n>>>>>>> theirs\n`,
    ],
  },
  { name: "nothing but a comment", parts: ({ mark }) => [`// ${mark}`] },
  {
    name: "another alphabet",
    parts: (subject) =>
      declared(subject, `async () => { const ключ = "🔑 ${subject.mark} \\u{1F511}"; return { ключ }; }`),
  },
  {
    name: "a body that imports",
    parts: (subject) =>
      declared(
        subject,
        `async () => (await import("${subject.contextsModule}"), require("./x"), "${subject.mark}")`,
      ),
  },
];

/** Files beside the handlers. `from` is a handler's module and name as the neighbour sees them. */
export function neighbours(from: {
  readonly module: string;
  readonly value: string;
  readonly type: string;
  readonly handlersModule: string;
}): readonly { readonly file: string; readonly parts: readonly Part[] }[] {
  return [
    {
      file: "shared/neighbour.ts",
      parts: [
        "// keep-neighbour-1\nimport { ",
        { imported: from.value },
        ' } from "',
        { module: from.module },
        `";\nimport type { `,
        { imported: `${from.type}Handler` },
        ', LedgerHandlers } from "',
        { module: from.handlersModule },
        `";\nexport const all = [${from.value} as ${from.type}Handler<any>] as unknown as LedgerHandlers<any>;\n`,
      ],
    },
    { file: "shared/notes.txt", parts: ["keep-neighbour-2 import { x } from './get-account.ts'\r\n"] },
    { file: "shared/old.js", parts: ["// keep-neighbour-3\nexport const a = `}`;\n"] },
    { file: "_orphaned/account-service/gone.ts", parts: ["// keep-neighbour-4\nexport const gone = (((\n"] },
  ];
}
