import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { collectionFormats } from "../../tools/collection/formats.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import {
  blockOf,
  runBruno,
  runPostman,
  withBrunoVariables,
  withPostmanVariables,
  type Outgoing,
} from "./collection-programs.ts";

/** What an author may write to reach what the reader's program knows, or to end the place of a text. */
const text =
  `{{privateKey}} {{{apiKey}}} {{{{privateKey}}}} {{process.env.HOME}} {{$guid}} {{ privateKey }} {{token}} \${x} ` +
  `@privateKey@ @@privateKey@@ */ \`</script> " ' \\ \\{{privateKey}} ''' \u2028\u2029\u202E ~x: y`;
const lines = `'''${text}\n}\n\nvars {\n  a: {{privateKey}}\n}\r}\r\n}\nscript:pre-request {\n  bru.setVar("hacked", 1)\n}\n`;
const secrets = ["the private key", "the API key", "the token", "/home/reader"] as const;
const [, apiKey, token, home] = secrets;
const privateKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ format: "der", type: "pkcs8" })
  .toString("base64");

const doc = lines;
const fields = [
  { name: "example", type: "string", doc, example: text },
  { name: "{{privateKey}} '''", type: "string", doc, example: lines },
  { name: "sample", type: "string", doc, identifies: "privateKey", example: text },
  { name: "other", type: "string", doc, refersTo: "token", example: lines },
  { name: "plain", type: "string", doc, refersTo: "plainId", example: lines },
  { name: "values", type: "Values", doc },
];
const types = { Values: { doc, enum: [{ value: text, doc }] } };
const payload = { fields };
const result = { fields: [] };
const samples = { privateKey: text, token: text, plainId: text };
const resources = { thing: { doc, samples } };
const error = { doc, message: "No", condition: text, action: text };

const standard = {
  interface: {
    name: "hostile",
    title: lines,
    doc,
    revision: "1.0.0",
    wire: { protocol: "json-rpc-2.0", params: "by-name", transports: ["http"] },
    schemes: { token: { doc, kind: "bearer" } },
    security: [{ token: [] }],
  },
  types,
  resources,
  methods: Object.fromEntries(
    ["'''{{privateKey}}", "../../a", ".. .. a", "日本", "中文", "CON", "{{token}} }"].map((name) => [
      name,
      { doc, effect: "set", payload, result },
    ]),
  ),
  errors: { BAD: { code: -32_050, ...error } },
};
const member = { doc, missing: "BAD" };
const members = { credential: member, signature: member, apiKey: member, keyId: member };
const faultNames =
  "badInput unauthorized badCredential unknownKey invalidSignature conflict rateLimited unavailable";
const faults = Object.fromEntries([...faultNames.split(" "), "internal"].map((fault) => [fault, "BAD"]));
const signed = {
  interface: {
    name: "hostile",
    title: lines,
    doc,
    revision: "1.0.0",
    path: "/rpc",
    auth: { members },
    faults,
  },
  types,
  resources,
  methods: { set: { doc, effect: "set", payload, result, auth: Object.keys(members) } },
  errors: { BAD: { ...error, httpStatus: 400, rpcCode: -32_602, everyMethod: true } },
};

const Item = z.object({
  name: z.string(),
  request: z.object({
    description: z.string(),
    url: z.string(),
    header: z.array(z.object({ key: z.string(), value: z.string() })),
    body: z.object({ raw: z.string() }),
  }),
});
const Collection = z.object({
  info: z.object({ name: z.string(), description: z.string() }),
  item: z.array(Item),
  event: z.array(z.object({ listen: z.string(), script: z.object({ exec: z.array(z.string()) }) })),
});
const Environment = z.object({
  name: z.string(),
  values: z.array(z.object({ key: z.string(), value: z.string() })),
});

function modelOf(spec: object): ServiceModel {
  const { value, diagnostics } = loadServiceModel("spec", () => [
    { path: "hostile.yaml", text: JSON.stringify(spec) },
  ]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

const caller = { baseUrl: "http://127.0.0.1:1", userName: "ann", apiKey, keyId: "key-1", privateKey };
const known = (values: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...values, ["process.env.HOME", home], [" privateKey ", privateKey]]);

/** What a service reads of a body: the author's texts as they were written, and no secret. */
function checkBody(body: string): void {
  const read: unknown = JSON.parse(body);
  const texts = textsIn(read);
  for (const wanted of [text, lines, "{{privateKey}} '''"]) expect(texts).toContain(wanted);
  expect(
    texts.filter((each) => [...secrets.slice(1), privateKey].some((secret) => each.includes(secret))),
  ).toEqual([]);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  // What signs is there to be sent.
  return Object.entries(value).flatMap(([name, part]) => (name === "api" ? [] : [name, ...textsIn(part)]));
}

describe.each([
  ["a standard interface", standard],
  ["a signed one", signed],
])("a hostile spec of %s", (_, spec) => {
  const model = modelOf(spec);
  // Where it is no scheme, it is a sample like any other.
  const given = model.schemes.length === 0 ? caller : { ...caller, token };

  test("asks Postman for no secret, and breaks nothing", () => {
    const files = collectionFormats["postman"]?.(model, given) ?? new Map<string, string>();
    const { info, item, event } = Collection.parse(
      JSON.parse(files.get("hostile.postman_collection.json") ?? ""),
    );
    const { name, values } = Environment.parse(
      JSON.parse(files.get("hostile.postman_environment.json") ?? ""),
    );
    const variables = known(new Map(values.map((each) => [each.key, each.value])));
    const script = event
      .filter(({ listen }) => listen === "prerequest")
      .flatMap((each) => each.script.exec)
      .join("\n");
    for (const shown of [info.name, info.description, name])
      expect(withPostmanVariables(shown, variables)).toBe(shown);
    expect(item).toHaveLength(model.methods.length);
    for (const { name: itemName, request } of item) {
      for (const shown of [itemName, request.description])
        expect(withPostmanVariables(shown, variables)).toBe(shown);
      const outgoing: Outgoing = {
        body: request.body.raw,
        headers: new Map(request.header.map(({ key, value }) => [key, value])),
      };
      expect(runPostman(script, outgoing, variables, itemName)).toEqual([]);
      checkBody(withPostmanVariables(outgoing.body, variables));
    }
  });

  test("asks Bruno for no secret, and ends no block", () => {
    const files = collectionFormats["bruno"]?.(model, given) ?? new Map<string, string>();
    const environment = blocksOf(files.get("environments/sandbox.bru") ?? "");
    expect([...environment.keys()]).toEqual(["vars"]);
    const pairs = (environment.get("vars") ?? "").split("\n").map((line) => line.split(/: (.*)/s));
    const variables = known(new Map(pairs.map(([key = "", value = ""]) => [key, value])));
    const { name } = z.object({ name: z.string() }).parse(JSON.parse(files.get("bruno.json") ?? ""));
    expect(withBrunoVariables(name, variables)).toBe(name);
    const collection = blocksOf(files.get("collection.bru") ?? "");
    expect([...collection.keys()].filter((each) => each !== "script:pre-request")).toEqual(["tests", "docs"]);
    const requests = [...files].filter(([, file]) => file.startsWith("meta {"));
    expect(requests).toHaveLength(model.methods.length);
    for (const [path, file] of requests) {
      expect(path).toMatch(/^(?:[A-Za-z0-9_-][\w.-]*\/)?[A-Za-z0-9_-][\w.-]*\.bru$/);
      const blocks = blocksOf(file);
      expect([...blocks.keys()]).toEqual(["meta", "post", "headers", "body:json", "docs"]);
      for (const block of ["meta", "docs"])
        expect(withBrunoVariables(blocks.get(block) ?? "", variables)).toBe(blocks.get(block));
      expect(blocks.get("meta")?.split("\n")).toEqual([
        expect.stringMatching(/^name: (?!''')/),
        "type: http",
        expect.stringMatching(/^seq: \d+$/),
      ]);
      const headers = (blocks.get("headers") ?? "").split("\n").map((line) => line.split(/: (.*)/s));
      const outgoing: Outgoing = {
        body: blocks.get("body:json") ?? "",
        headers: new Map(headers.map(([key = "", value = ""]) => [key, value])),
      };
      const script = collection.get("script:pre-request") ?? "";
      expect(runBruno(script, outgoing, variables)).toEqual([]);
      checkBody(withBrunoVariables(outgoing.body, variables));
    }
  });
});

/** The blocks of a .bru file by name, ended as Bruno ends them: by a brace at the start of a line. */
function blocksOf(file: string): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>();
  for (let rest = file; rest.trim() !== "";) {
    const found = /^\s*([a-z:-]+) \{\n/.exec(rest);
    if (found === null) throw new Error(`no block begins at ${JSON.stringify(rest.slice(0, 40))}`);
    const [whole, name = ""] = found;
    const end = /\r?\n\}/.exec(rest.slice(whole.length - 1))?.index ?? rest.length;
    blocks.set(name, blockOf(`${name} {\n${rest.slice(whole.length, whole.length - 1 + end)}\n}\n`, name));
    rest = rest.slice(whole.length - 1 + end).replace(/^\r?\n\}/, "");
  }
  return blocks;
}
