import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { curlOf } from "../../conformance/request/curl.ts";
import { shellWord } from "../../conformance/base/shell-word.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { siteFiles } from "../../tools/site/index.ts";
import { hostileModel } from "../web/hostile-spec.ts";

/** The tested part of the browser's modules, whose own types need a browser. */
interface RequestText {
  quoted(text: string): string;
  curlText(operation: object, sent: object, signed: object): string;
}
interface StandardText {
  standardTexts(made: object): readonly (readonly [string, string])[];
}
const webModule = (name: string): string => join(import.meta.dirname, `../../web/try/${name}.ts`);
const { quoted, curlText }: RequestText = await import(webModule("request-text"));
const { standardTexts }: StandardText = await import(webModule("standard"));

/** A reader would execute it: in single quotes, in double quotes, and in none. */
const attack = `a'; touch hacked; '"; touch hacked; "\`touch hacked\`$(touch hacked)\${IFS}\\ %s @signature@ $' #{x}\n| -x`;
/** What HTTP takes as the name of a header. */
const header = "X'`touch$IFS'hacked`'%s";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shell-"));
  for (const [name, script] of [
    ["curl", `printf '%s\\0' "$@" > words; cat > body`],
    ["openssl", "cat > /dev/null; echo 00ff"],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The words that curl is given, and what it reads. Nothing else was executed. */
function wordsOf(program: string): { readonly words: readonly string[]; readonly body: string } {
  const file = join(folder, "program.sh");
  writeFileSync(file, program);
  const env = {
    PATH: `${folder}:${process.env["PATH"]}`,
    KEY_FILE: "key.pem",
    USER_NAME: "ann",
    API_KEY: "key",
    KEY_ID: "1",
    BASE_URL: "http://a.example",
  };
  const { stderr } = spawnSync("sh", [file], { cwd: folder, encoding: "utf8", env, input: "" });
  expect(stderr).toBe("");
  expect(existsSync(join(folder, "hacked")), program).toBe(false);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { words: read("words").split("\0"), body: read("body") };
}

/** The text that stands behind an option. */
const optionOf = (words: readonly string[], option: string): string => words[words.indexOf(option) + 1] ?? "";

test("a word is one word, the same in reports, reference and browser", () => {
  for (const text of [attack, "", "'", "''", "-x", "\u0001\u202E é"]) {
    expect(quoted(text)).toBe(shellWord(text));
    expect(wordsOf(`curl ${shellWord(text)}`).words.slice(0, -1)).toEqual([text]);
  }
});

describe("a program that Try it shows executes nothing that was typed", () => {
  const payload = JSON.stringify({ a: attack });
  const url = `http://a.example/${encodeURIComponent(attack)}`;
  const sent = { url, headers: {}, body: payload };

  test("of a signed envelope", () => {
    const operation = { name: attack, isFlat: false };
    const { words } = wordsOf(curlText(operation, sent, { userName: attack, keyId: attack, payload }));
    expect(JSON.parse(optionOf(words, "-d"))).toMatchObject({
      method: attack,
      params: { api: { keyId: attack, signature: "00ff", apiKey: "key" }, payload: { a: attack } },
    });
  });

  test("of a flat body", () => {
    const operation = { name: attack, isFlat: true };
    const { words } = wordsOf(curlText(operation, sent, { userName: attack, keyId: attack, payload }));
    expect(optionOf(words, "-d")).toBe(payload);
    expect(words).toContain(`signature: keyId=${attack},algorithm=ecdsa-sha256,signature=00ff`);
  });

  test.each([
    ["basic", {}],
    ["bearer", {}],
    ["jwt", { issuer: attack, audience: attack, type: attack }],
    ["api-key", { header }],
    ["hmac", { header, covers: ["timestamp", "nonce", "path"] }],
    ["message-signature", { covers: ["@method", "@target-uri", header], tag: attack }],
    ["custom", {}],
  ] as const)("of a standard interface: %s", (kind, options) => {
    const shown = {
      user: attack,
      keyId: attack,
      headers: `${header} X-Other`,
      algorithm: kind === "jwt" ? "HS256" : "ed25519",
      isMade: "true",
      claims: JSON.stringify({ sub: attack }),
      scopes: attack,
    };
    const operation = { name: attack, doc: "", type: "", examples: [], errors: new Map(), security: "" };
    const texts = standardTexts({
      described: {
        title: "",
        path: "/",
        client: { factory: "a", package: "a" },
        members: { id: "id", result: "result", error: "error" },
        batchMax: 0,
        schemes: { scheme: { kind, ...options } },
        methods: [{ ...operation, errors: [], notify: "never", alternatives: [{ scheme: [] }] }],
      },
      credentials: { name: "", auth: { scheme: {} }, shown: { scheme: shown } },
      calls: [{ operation: { ...operation, notify: "never" }, payload: {}, isNotification: false }],
      sent,
    });
    const { words } = wordsOf(texts.find(([name]) => name === "curl")?.[1] ?? "");
    expect(optionOf(words, "-d")).toBe(payload);
  });
});

describe("a program of the reference executes nothing that a spec says", () => {
  test("of a signed envelope", () => {
    const model = hostileModel("signed-envelope");
    const [first] = model.methods;
    if (first === undefined) throw new Error("there is no method");
    const named = { ...model, methods: [{ ...first, name: attack, effect: "read" as const }] };
    const snippet = partOf(named, "reference")
      .programs(named)
      .find(({ id }) => id === "curl");
    const { body } = wordsOf(snippet?.text ?? "");
    expect(JSON.parse(body)).toMatchObject({
      method: attack,
      params: { api: { signature: "MDBmZgo=", keyId: "1" } },
    });
  });

  test("of a standard interface", () => {
    const model = hostileModel("json-rpc-2.0");
    const [first] = model.methods;
    if (first === undefined) throw new Error("there is no method");
    const { doc, decisions, span } = first;
    const scheme = { doc, decisions, span, name: "key", kind: "api-key" as const, options: { header } };
    const methods = [{ ...first, name: attack, security: [[{ scheme: "key", scopes: [] }]] }];
    const hostile = { ...model, schemes: [scheme], methods, states: [] };
    const page = siteFiles(hostile).get("authentication.html");
    const programs = [...(page ?? "").matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].map(([, html = ""]) =>
      decoded(html.replaceAll(/<[^>]*>/g, "")),
    );
    const { words } = wordsOf(programs.find((text) => text.startsWith("#!/bin/sh")) ?? "");
    expect(JSON.parse(optionOf(words, "--json"))).toMatchObject({ method: attack });
    expect(optionOf(words, "-H")).toBe(`${header}: <key>`);
  });
});

test("a command of a report executes nothing that a service or a spec says", () => {
  const wire = {
    httpMethod: "POST",
    path: "/",
    headers: { [header]: "secret", "X-Text": attack },
    body: Buffer.from(attack),
    secretHeaders: [header],
  };
  const { words } = wordsOf(
    curlOf("http://a.example", wire, {
      userName: "ann",
      apiKey: "the-api-key",
      keyId: "1",
      privateKeyPem: "",
    }),
  );
  expect(optionOf(words, "--data-binary")).toBe(attack);
  expect(words).toContain(`X-Text: ${attack}`);
});

function decoded(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return html.replaceAll(
    /&(?:#x([0-9A-Fa-f]+)|#(\d+)|(\w+));/g,
    (_, hex?: string, digits?: string, name = "") =>
      hex !== undefined
        ? String.fromCodePoint(parseInt(hex, 16))
        : digits === undefined
          ? (entities[name] ?? "")
          : String.fromCodePoint(Number(digits)),
  );
}
