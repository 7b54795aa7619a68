import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parsers } from "prettier/plugins/markdown";
import { Project, SyntaxKind, type SourceFile } from "ts-morph";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  allOutcomes,
  badgeReport,
  htmlReport,
  jsonReport,
  junitReport,
  loadSuite,
} from "../../conformance/index.ts";
import { conform } from "../conformance/patient.ts";
import { loadEmitters } from "../../generator/targets/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { importDocument } from "../../tools/import/index.ts";
import { createMock, newMockAccess, readMockAccess } from "../../tools/mock/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";

/** Texts that end a string, or begin something else, in one of the printed formats. */
const markers =
  `*/ hacked(); /* \`; hacked(); \` \${hacked()} {{hacked}} {{{hacked}}} #{hacked} <script>hacked()</script></script>` +
  `<b-hacked onx-hacked=1> "' onx-hacked=1 <!-- hacked --> ]]> ' hacked() ' " + hacked() + " \\ \\" \\' $(touch hacked) ` +
  `%s %n | a | =hacked() [a](javascript:hacked()) ''' """ \u2028\u2029 \u202E \r\n- hacked\n=hacked\n---\n# hacked\n\`\`\`\nhacked()\n`;
/** The same where a text has one line. */
const line = markers.replaceAll(/\s+/g, " ").trim();
/** Braces hold what is filled in. */
const message = line.replaceAll(/[{}]/g, "");

const doc = markers;
const fields = [
  { name: line, type: "string", doc, example: markers },
  { name: "state", type: "State", doc },
  { name: "const", type: "string", const: markers, doc },
  { name: "optional", type: "string", optional: true, doc, deprecated: markers },
];
const types = {
  Thing: { doc, fields, deprecated: markers },
  State: {
    doc,
    enum: [
      { value: markers, doc },
      { value: line, doc },
      { value: "{{hacked}}", doc },
    ],
  },
};
const error = { doc, message, condition: markers, action: markers };
const method = {
  doc,
  effect: "read",
  payload: { fields: [...fields, { name: "thing", type: "Thing", optional: true, doc }] },
  result: { fields: [{ name: "thing", type: "Thing", optional: true, doc }] },
  examples: [
    {
      name: markers,
      doc,
      payload: { [line]: markers, state: markers, const: markers },
      result: { thing: { [line]: markers, state: line, const: markers } },
    },
  ],
  deprecated: markers,
};
const rules = { rule: { doc } };
const revision = "1.0.0";
const standard = {
  interface: {
    name: "marked",
    title: markers,
    doc,
    revision,
    wire: { protocol: "json-rpc-2.0", params: "by-name", transports: ["http"] },
    schemes: { key: { doc, kind: "api-key", header: "X'`Key" } },
    security: [{ key: [] }],
  },
  types,
  methods: { [line]: method },
  errors: { BAD: { code: -32_050, ...error } },
  rules,
};
const member = { doc, missing: "BAD" };
const members = { credential: member, signature: member, apiKey: member, keyId: member };
const faultNames =
  "badInput unauthorized badCredential unknownKey invalidSignature conflict rateLimited unavailable";
const signed = {
  interface: {
    name: "marked",
    title: markers,
    doc,
    revision,
    path: "/rpc",
    services: { Service: { doc } },
    auth: { members, headers: { "X'`Key": { doc, format: markers } } },
    faults: Object.fromEntries([...faultNames.split(" "), "internal"].map((fault) => [fault, "BAD"])),
  },
  types,
  methods: { "Service.Get": { ...method, auth: Object.keys(members) } },
  errors: { BAD: { ...error, httpStatus: 400, rpcCode: -32_602, everyMethod: true } },
  events: { [line]: { doc, payload: "Thing", otherCauses: [markers] } },
  rules,
};

function modelOf(spec: object): ServiceModel {
  const { value, diagnostics } = loadServiceModel("spec", () => [
    sourceText("marked.yaml", JSON.stringify(spec)),
  ]);
  if (value === undefined) throw new Error(diagnostics.map((each) => each.message).join("\n"));
  return value;
}

const emitters = await loadEmitters();

describe.each([
  ["a standard interface", modelOf(standard)],
  ["a signed one", modelOf(signed)],
])("a spec of %s that holds the markers of all formats", (_, model) => {
  const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };
  const texts = new Map(
    emitters.flatMap((emitter) => emitter.emit(model, layout)).map(({ path, text }) => [path, text]),
  );
  const ending = (pattern: RegExp) => [...texts].filter(([path]) => pattern.test(path));

  test("is text in TypeScript and JavaScript", () => {
    const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { allowJs: true } });
    const files = ending(/\.[cm]?[jt]s$/).map(([path, text]) => project.createSourceFile(path, text));
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const problems = project.getProgram().getSyntacticDiagnostics(file);
      expect(problems.map((each) => `${file.getFilePath()}: ${String(each.getMessageText())}`)).toEqual([]);
      expect(codeIn(file), file.getFilePath()).toEqual([]);
    }
    const literals = new Set(
      files.flatMap((file) =>
        file.getDescendantsOfKind(SyntaxKind.StringLiteral).map((each) => each.getLiteralValue()),
      ),
    );
    for (const wanted of [markers, line, "{{hacked}}"]) expect(literals).toContain(wanted);
  });

  test("is text in JSON", () => {
    const documents = ending(/\.json$/);
    expect(documents.length).toBeGreaterThan(3);
    for (const [path, text] of documents) {
      const read: unknown = JSON.parse(text);
      if (/openrpc|openapi|asyncapi|json-schema|suite/.test(path))
        expect(
          stringsIn(read).some((each) => each.includes(markers.trim())),
          path,
        ).toBe(true);
    }
    for (const [, text] of ending(/\.jsonl$/)) for (const each of text.trim().split("\n")) JSON.parse(each);
  });

  test("is text in pages", () => {
    const pages = ending(/\.html$/);
    expect(pages.length).toBeGreaterThan(4);
    for (const [path, text] of pages) {
      const { names, attributes, shown } = read(text, path);
      expect(names, path).not.toContain("b-hacked");
      expect(attributes, path).not.toContain("onx-hacked");
      if (path.endsWith("index.html")) expect(shown).toContain("<script>hacked()</script>");
    }
  });

  test("is text in Markdown", () => {
    const documents = ending(/\.md$/);
    expect(documents.length).toBeGreaterThan(1);
    for (const [path, text] of documents) {
      const found = nodesOf(text).filter(
        ({ type, value = "", url = "" }) =>
          (type === "html" && /hacked/.test(value)) || /^javascript:/i.test(url),
      );
      expect(
        found.map(({ type, value, url }) => [type, value, url]),
        path,
      ).toEqual([]);
    }
  });

  test("is text in programs of the reference in Java and Go", () => {
    const programs = partOf(model, "reference")
      .programs(model)
      .filter(({ id }) => id === "java" || id === "go");
    expect(programs).toHaveLength(model.wire.protocol === "signed-envelope" ? 2 : 0);
    for (const { id, text } of programs) {
      expect(text).toContain("hacked");
      expect(withoutTexts(text), id).not.toMatch(/hacked|["'`\\]|[^\t\n -~]/);
      const file = join(newFolder(), id === "java" ? "Call.java" : "call.go");
      writeFileSync(file, text);
      const compiler = id === "java" ? ["javac", "-d", dirname(file), file] : ["gofmt", "-e", "-l", file];
      expect(complaints(compiler), id).toBe("");
    }
  });

  test("is text in programs of the reference in Python", ({ skip }) => {
    const python = partOf(model, "reference")
      .programs(model)
      .find(({ id }) => id === "python")?.text;
    if (python === undefined || spawnSync("python3", ["--version"]).status !== 0) skip();
    const names =
      "import ast,sys;print([n.id for n in ast.walk(ast.parse(sys.stdin.read())) if isinstance(n, ast.Name)])";
    expect(execFileSync("python3", ["-c", names], { input: python ?? "", encoding: "utf8" })).not.toContain(
      "hacked",
    );
  });

  test("is text in what the mock answers", async () => {
    const { baseUrl } = await startMock(model);
    const isSigned = model.wire.protocol === "signed-envelope";
    const payload = { [line]: markers, state: markers, const: markers };
    const asked = isSigned
      ? {
          id: "1",
          method: "Service.Get",
          params: { api: Object.fromEntries(Object.keys(members).map((name) => [name, markers])), payload },
        }
      : { jsonrpc: "2.0", id: "1", method: line, params: payload };
    const strings: string[] = [];
    for (const sent of [asked, { ...asked, method: markers }, { ...asked, params: markers, id: markers }]) {
      const response = await fetch(`${baseUrl}${model.path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sent),
      });
      expect(JSON.stringify([...response.headers])).not.toMatch(/hacked|text\/html/);
      strings.push(...stringsIn(await response.json()));
    }
    // Signed interfaces take no control characters, so that the error answers them.
    expect(strings).toContain(isSigned ? message : markers);
  });

  test("is text in the reports of a run against the mock", async () => {
    const folder = newFolder();
    for (const name of ["suite.json", "cases.jsonl"])
      writeFileSync(join(folder, name), ending(new RegExp(`conformance/${name}$`))[0]?.[1] ?? "");
    const accessFile = join(folder, "access.json");
    writeFileSync(accessFile, JSON.stringify(newMockAccess(model)));
    const access = readMockAccess(model, accessFile);
    const { baseUrl } = await startMock(model);
    const suite = loadSuite(folder);
    const report = await conform({
      ...suite,
      access,
      baseUrl,
      seed: 1,
      explore: { runs: 0 },
    });
    expect(report.outcomes.length).toBeGreaterThan(10);

    // What a service answers stands in the report of a failure.
    const finding = { check: "value", level: "document", expected: markers, found: markers } as const;
    const exchanges = [{ curl: markers, answer: markers }];
    const told = {
      ...report,
      title: markers,
      outcomes: report.outcomes.map((each, at) => {
        if (at % 3 === 0)
          return { ...each, status: "failed", title: markers, findings: [finding], exchanges } as const;
        return at % 3 === 1 ? ({ ...each, status: "skipped", reason: markers } as const) : each;
      }),
    };
    for (const each of [report, told]) {
      const { names, attributes } = read(htmlReport(each), "report", /</);
      expect(names).not.toContain("b-hacked");
      expect(attributes).not.toContain("onx-hacked");
      read(junitReport(each).replace(/^<\?xml[^>]*>/, ""), "junit");
      read(badgeReport(each), "badge");
      expect(stringsIn(JSON.parse(jsonReport(each)))).toContain(allOutcomes(each)[0]?.title);
    }
  });
});

test("what an OpenRPC document says is text in the YAML that it becomes", () => {
  const document = {
    openrpc: "1.3.2",
    info: { title: line, version: "1.0.0", description: markers },
    methods: [
      {
        name: line,
        description: markers,
        params: [{ name: "text", description: markers, schema: { type: "string", enum: [markers, line] } }],
        result: { name: "result", schema: { type: "string", default: markers } },
      },
    ],
  };
  const { files = {} } = importDocument(document, {
    name: "marked",
    params: "either",
    lossy: false,
    readExternal: () => ({ problem: "there is none" }),
  });
  const { value } = loadServiceModel("spec", () =>
    Object.entries(files).map(([path, text]) => sourceText(path, text)),
  );
  expect(value?.methods.map(({ name }) => name)).toEqual([line]);
  expect(stringsIn(value?.methods.map(({ doc: said }) => said))[0]?.trim()).toBe(markers.trim());
});

/** A folder that goes with the test. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "markers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Takes every caller. */
async function startMock(model: ServiceModel) {
  const latencyMs = { least: 0, most: 0 };
  const server = createMock(model, { errors: new Map(), faults: new Map(), latencyMs, seed: 7 });
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return { baseUrl: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}` };
}

/** A program without its text literals and comments, by the grammar that Java and Go share. */
function withoutTexts(program: string): string {
  return program.replaceAll(/"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])'|\/\/[^\n]*/g, " ");
}

/** What a compiler complains of; nothing where this machine has none. */
function complaints([command = "", ...options]: readonly string[]): string {
  const { error, stderr } = spawnSync(command, options, { encoding: "utf8" });
  return error === undefined ? stderr.trim() : "";
}

/** The places where a marker has become code. */
function codeIn(file: SourceFile): readonly string[] {
  return file
    .getDescendantsOfKind(SyntaxKind.Identifier)
    .filter((each) => each.getText() === "hacked")
    .map((each) => `line ${each.getStartLineNumber()}`);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Reads a page as strictly as it is printed: every tag is whole, and its attributes are between double quotes. */
function read(html: string, path: string, beginsMarkup = /[<>]/) {
  const names: string[] = [];
  const attributes: string[] = [];
  let shown = "";
  const withoutScripts = html
    .replaceAll(/<(script|style)\b([^>]*)>[^]*?<\/\1>/g, "<$1$2></$1>")
    .replace(/^<!doctype html>/i, "");
  for (const part of withoutScripts.split(/(<[^>]*>)/)) {
    if (!part.startsWith("<")) {
      expect(part, path).not.toMatch(beginsMarkup);
      shown += part;
      continue;
    }
    const tag = /^<\/?([a-z][a-z0-9-]*)((?:\s+[a-z][a-z0-9:-]*(?:="[^"<>]*")?)*)\s*\/?>$/i.exec(part);
    expect(tag, `${path}: ${part}`).not.toBeNull();
    names.push(tag?.[1] ?? "");
    attributes.push(
      ...[...(tag?.[2] ?? "").matchAll(/\s([a-z][a-z0-9:-]*)(?:="[^"]*")?/gi)].map(([, name = ""]) => name),
    );
  }
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  return {
    names,
    attributes,
    shown: shown.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole),
  };
}

const MarkdownNode = z.object({
  type: z.string(),
  value: z.string().optional(),
  url: z.string().optional(),
  children: z.array(z.unknown()).optional(),
});

/** The nodes of a Markdown document, by the parser that lays documents out. */
function nodesOf(text: string): readonly z.infer<typeof MarkdownNode>[] {
  const nodes: z.infer<typeof MarkdownNode>[] = [];
  const left: unknown[] = [Reflect.apply(parsers.markdown.parse, undefined, [text, { originalText: text }])];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const node = MarkdownNode.parse(each);
    nodes.push(node);
    left.push(...(node.children ?? []));
  }
  return nodes;
}
