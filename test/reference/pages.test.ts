import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { flowchartHtml } from "../../generator/targets/reference/flowchart.ts";
import { emitter } from "../../generator/targets/reference/index.ts";
import { programsShown } from "../../generator/targets/reference/snippets.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { partOf } from "../../generator/protocols/parts.ts";
import { modelOf } from "../vectors/models.ts";
import { brokenLinks, filesOf, searchedIn, searchEntries } from "./pages.ts";

const repository = join(import.meta.dirname, "../..");
const ledger = filesOf(join(repository, "generated/ledger/reference"));
const zipped = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + gzipSync(ledger.get(path) ?? "").length, 0);

interface ScriptedPrograms {
  readonly command?: string;
  readonly lines?: readonly string[];
  readonly pages?: Readonly<Record<string, readonly number[]>>;
}

/** The text of an error, as HTML has it. */
function textOf(code: string): string {
  const { message = "" } = modelOf("spec/ledger").errors.find((error) => error.code === code) ?? {};
  return message.replaceAll("'", "&#x27;");
}

describe("the reference pages", () => {
  test.each(["ledger", "operator"])("of %s link to what is there", (name) => {
    expect(brokenLinks(filesOf(join(repository, "generated", name, "reference")))).toEqual([]);
  });

  test("have the look that all pages share", () => {
    const [tokens = "", look = ""] = ["tokens", "look"].map((name) =>
      readFileSync(join(repository, `web/shared/${name}.css`), "utf8"),
    );
    expect(ledger.get("assets/style.css")?.startsWith(tokens + look)).toBe(true);
    const style = readFileSync(join(repository, "web/shared/style.css"), "utf8");
    expect(style).toMatch(/^@import "\.\/tokens\.css";\n@import "\.\/look\.css";\n/);
    expect(readFileSync(join(repository, "conformance/report/html.ts"), "utf8")).toContain("tokens.css");
  });

  test("show every operation, field, value, error and event of the interface", () => {
    const openrpc: { methods: { name: string }[] } = JSON.parse(
      readFileSync(join(repository, "generated/ledger/openrpc.json"), "utf8"),
    );
    const front = ledger.get("index.html")?.replaceAll("<wbr>", "");
    for (const { name } of openrpc.methods) expect(front).toContain(`>${name}</a>`);
    const accounts = ledger.get("operations/get-account.html");
    for (const field of ["nickName", "holdBalance", "minimumRouteApprovers"]) {
      expect(accounts).toContain(`<code class="name">${field}</code>`);
    }
    expect(ledger.get("types.html")).toContain("<dt><code>CURTAILED</code></dt>");
    expect(ledger.get("errors.html")).toContain(textOf("NOT_FOUND_ACCOUNT"));
    expect(ledger.get("events.html")).toContain(">Transaction.UPDATE ");
    expect(ledger.get("decisions.html")).toContain('id="D-37"');
  });

  test("say which HTTP status an error has by default, and when another", () => {
    const statusOf = (code: string): string | undefined =>
      new RegExp(`id="${code}".*?<dt>HTTP status</dt><dd>(.*?)</dd>`, "s").exec(
        ledger.get("errors.html") ?? "",
      )?.[1];
    const mapped = "where the service is set to map codes to statuses";
    expect(statusOf("not-found-account")).toBe(`200; 404 ${mapped}`);
    expect(statusOf("bad-input")).toBe(
      `200; 400 for a body that is not JSON, 413 for one that is too large; 400 ${mapped}`,
    );
    expect([statusOf("rate-limited"), statusOf("unavailable")]).toEqual(["429", "503"]);
  });

  test.each([
    ["ledger", 15, 280_000],
    ["partner", 18, 190_000],
    ["operator", 64, 540_000],
  ])("of %s, with %d operations, are at most %d bytes, compressed", (name, _operations, bytesMax) => {
    const pages = filesOf(join(repository, "generated", name, "reference"));
    const texts = [...pages].filter(([path]) => !path.startsWith("assets/pictures/"));
    const bytes = texts.reduce((sum, [, text]) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeLessThan(bytesMax);
  });

  test("have every operation's programs, the first in its page and the others in one script", () => {
    const model = modelOf("spec/ledger");
    const script: { programs?: Readonly<Record<string, ScriptedPrograms>> } = {};
    const shown = programsShown();
    runInNewContext(ledger.get("assets/programs.js") ?? "", script);
    for (const method of model.methods) {
      const page = method.names.file;
      const [first, ...others] = shown(partOf(model, "reference").programs(model, method));
      if (first !== undefined) expect(ledger.get(`operations/${page}.html`)).toContain(first.html);
      for (const { id, html, command } of others) {
        const { lines = [], pages = {}, command: run } = script.programs?.[id] ?? {};
        expect(pages[page]?.map((at) => lines[at]).join("\n"), `${id} of ${page}`).toBe(html);
        expect(run).toBe(command);
      }
    }
  });

  test("stay small: 30 kB for the first page, compressed", () => {
    const first = [
      "index.html",
      "assets/style.css",
      "assets/reference.js",
      "assets/try.js",
      "assets/icon.svg",
    ];
    expect(zipped(first)).toBeLessThan(30_000);
  });

  test("have no script, style or address outside the policy that they state", () => {
    for (const [path, text] of ledger) {
      if (!path.endsWith(".html")) continue;
      expect(text).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
      expect(text).not.toMatch(/ style="| on[a-z]+="|<style|<script(?!(?: defer)? src="(?:\.\.\/)?assets\/)/);
      expect(text).not.toMatch(/(?:src|<link[^>]* href)="(?:https?:)?\/\//);
      if (!path.startsWith("guides/")) expect(text).not.toMatch(/href="(?:https?:)?\/\//);
    }
  });

  test.each([
    ["python", "authentication.html"],
    ["curl", "authentication.html"],
    ["pagination", "guides/partners.html#pagination"],
    ["idempotent", "guides/partners.html#retries-and-idempotency"],
    ["getting started", "guides/partners.html"],
    ["webhok", "guides/partners.html#receive-webhooks"],
    ["rotate key", "guides/partners.html#rotate-a-key"],
    ["error codes", "errors.html"],
    ["addacc", "operations/add-account.html"],
    ["nickname", "types.html#account"],
    ["not_found_user", "errors.html#not-found-user-device"],
    ["NOT_FOUND_ACCOUNT", "errors.html#not-found-account"],
  ])("find %s", (question, place) => {
    expect(searchedIn(ledger.get("assets/search-index.js") ?? "", question)[0]).toBe(place);
  });

  test("draw the flowcharts of guides, with their arrows in words", () => {
    const page = ledger.get("guides/events.html") ?? "";
    expect(page).toContain('<svg class="diagram" role="img"');
    expect(page).toContain("outbox to a delivery for each subscription; ");
    expect(page).toContain(
      "a delivery for each subscription to receiver: verify, store, answer 2xx: signed POST; ",
    );
    expect(page).not.toContain("flowchart LR");
  });

  test.each([
    ["another kind of diagram", "sequenceDiagram\nA-->B"],
    ["a part that is not understood", "flowchart LR\nsubgraph one\na-->b\nend"],
    [
      "more nodes than anyone can read",
      `flowchart LR\n${[...Array(61).keys()].map((at) => `n${at}`).join(" & ")}`,
    ],
  ])("show %s of a guide as it is written", (_name, text) => {
    expect(flowchartHtml(text, 1)).toBeUndefined();
  });

  test("draw a flowchart with texts on arrows, shapes and groups", () => {
    const html =
      flowchartHtml('flowchart TD\n%% note\na[(One)] -->|yes| b("Two & <b>") & c\nb --> a', 7) ?? "";
    expect(html).toContain(
      'aria-label="Diagram. One to Two &amp; &lt;b&gt;: yes; One to c: yes; Two &amp; &lt;b&gt; to One"',
    );
    expect(html).toContain('<marker id="flow-7"');
    expect(html.match(/<rect class="state"/g)).toHaveLength(3);
  });

  test("show the pictures of guides, which lie beside them", () => {
    const [, file = ""] =
      /<img src="\.\.\/(assets\/[^"]*)" alt="A delivery /.exec(ledger.get("guides/partners.html") ?? "") ??
      [];
    const shown = readFileSync(join(repository, "generated/ledger/reference", file));
    expect(shown.equals(readFileSync(join(repository, "docs/images/portal-delivery.webp")))).toBe(true);
  });

  test("show readers no number of a decision", () => {
    for (const [path, text] of ledger)
      if (path.endsWith(".html")) expect(text.replaceAll(/<[^>]*>/g, " "), path).not.toMatch(/\bD-\d\d\b/);
  });

  test("find a field's operation and type by the search's index", () => {
    const entries = searchEntries(ledger.get("assets/search-index.js") ?? "");
    const found = entries.filter((entry) => entry.join(" ").includes("accountCategory"));
    expect(found.map(([name]) => name)).toContain("Account");
  });
});

describe("the pages of a small interface over HTTP and WebSocket", () => {
  const drafts = emitter.emit(modelOf("examples/bearer-websocket/spec"), {
    out: "pages",
    handlers: "",
    contract: "",
  });
  const textOf = (name: string): string =>
    drafts.find(({ path }) => path === `pages/reference/${name}.html`)?.text ?? "";

  test("say where calls go, and nothing of what there is none of", () => {
    const front = textOf("index");
    expect(front).toContain("POST /rpc or WebSocket /rpc");
    expect(front).toContain("3 operations, 1 type, 1 event");
    expect(front).not.toContain(">Section<");
  });

  test("begin with a call that everyone may make", () => {
    expect(textOf("authentication").replaceAll(/<[^>]*>/g, "")).toMatch(/curl .*--json .*ping/);
  });

  test("show an event as it comes on the connection", () => {
    expect(textOf("events").replaceAll(/<[^>]*>/g, "")).toContain("&quot;method&quot;: &quot;said&quot;");
  });
});

describe("the pages of an interface with very many operations", () => {
  const methods = Array.from({ length: 90 }, (_, number) => {
    const name = number < 40 ? `Notes.note${number}` : number < 80 ? `Tags.tag${number}` : `other${number}`;
    return `  ${name}: { doc: Does something., effect: read, result: boolean }\n`;
  });
  const text = `interface:
  name: many
  doc: Has many operations.
  wire: { protocol: json-rpc-2.0 }
  services: { Notes: { doc: Keeps notes. }, Tags: { doc: Keeps tags. } }
methods:
${methods.join("")}`;
  const { value: model, diagnostics } = loadServiceModel("many", () => [{ path: "many.yaml", text }]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const drafts = emitter.emit(model, { out: "pages", handlers: "", contract: "" });
  const pages = new Map(drafts.map(({ path, text }) => [path.replace("pages/reference/", ""), text]));

  test("list the operations of their service alone, and lead to those of the others", () => {
    const side = /<nav class="side".*?<\/nav>/s.exec(pages.get("operations/notes-note1.html") ?? "")?.[0];
    expect(side?.match(/>note\d+</g)).toHaveLength(40);
    expect(side).not.toMatch(/>tag\d+<|>other\d+</);
    expect(side).toContain('<h2><a href="../index.html#service-tags">Tags</a></h2>');
    expect(side).toContain('<h2><a href="../index.html#service-none">Operations</a></h2>');
    expect(brokenLinks(pages)).toEqual([]);
  });
});

describe("the pages of unions, maps, nullable values and notifications", () => {
  const text = `
interface: { name: d, wire: { protocol: json-rpc-2.0 } }
types:
  Kind: { enum: [{ value: car }, { value: van }] }
  Plate: { type: string, maxLength: 7 }
  A: { fields: [{ name: x, type: string }] }
  Closed: { fields: [{ name: z, type: boolean }], closed: true }
  B: { fields: [{ name: y, type: "string|null", maxLength: 5 }, { name: again, type: U, optional: true }] }
  U: { oneOf: { discriminator: kind, cases: { first: A, second: B } } }
  Tree: { type: array of Tree }
methods:
  beat: { notify: only, payload: { fields: [{ name: gate, type: string }] } }
  get:
    payload:
      fields:
        - { name: counts, type: map of integer, keys: Kind }
        - { name: kind, type: "Kind|null" }
        - { name: plates, type: "array of Plate|null" }
        - { name: tree, type: Tree }
        - { name: closed, type: Closed }
        - { name: either, type: "Plate|integer" }
        - { name: unions, type: array of U }
    result: U
`;
  const { value: model, diagnostics } = loadServiceModel("d", () => [{ path: "d.yaml", text }]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const drafts = emitter.emit(model, { out: "pages", handlers: "", contract: "" });
  const pages = new Map(drafts.map(({ path, text: page }) => [path.replace("pages/reference/", ""), page]));
  const wordsIn = (html: string): string => html.replaceAll(/<[^>]*>|\s/g, " ").replaceAll(/ +/g, " ");
  const wordsOf = (path: string): string => wordsIn(pages.get(path) ?? "");

  test("say which member tells the cases of a union, and show each case", () => {
    const cases =
      /The member kind says which case it is: first : A Fields of first .*? second : B Fields of second/;
    expect(wordsOf("types.html")).toMatch(/The member kind says which case it is: first : A second : B/);
    const [, request = "", answer = ""] = (pages.get("operations/get.html") ?? "")
      .split(/id="(?:request|answer)"/)
      .map(wordsIn);
    expect(request).toMatch(cases);
    expect(answer).toMatch(cases);
    expect(wordsOf("operations/get.html")).toContain(
      "Plate or integer required as Plate: at most 7 characters",
    );
  });

  test("show constraints and values of what may be null, is in a list, or is a key", () => {
    const words = wordsOf("operations/get.html");
    expect(words).toContain("y null or string required at most 5 characters");
    expect(words).toContain("each item: at most 7 characters");
    expect(words).toContain("counts map of integer required each key: Kind each key: one of car, van");
    expect(words).toMatch(/kind null or Kind required (?:\S+ )?car van/);
    expect(words).toContain("Other members are refused.");
  });

  test("show a notification without an id, an answer or errors", () => {
    const words = wordsOf("operations/beat.html");
    expect(words).toContain("it has no id, and is never answered");
    expect(words).not.toMatch(/quot;id|&quot;result/);
    expect(pages.get("operations/beat.html")).not.toContain('id="errors"');
    expect(words).toContain("params");
    expect(brokenLinks(pages)).toEqual([]);
  });
});

describe("a spec with markup in every text", () => {
  const markup = "</p></script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`${x}{{y}}{{{z}}}]]>";
  const model = hostile(modelOf("spec/ledger"));
  const drafts = emitter.emit(model, { out: "out", handlers: "handlers", contract: "contract.ts" });

  test("gives pages that show it as text", () => {
    for (const { path, text } of drafts) {
      if (path.endsWith("style.css") || path.endsWith("reference.js")) continue;
      expect(text, path).not.toContain("<img");
      expect(text, path).not.toContain("<script>");
      expect(text, path).not.toContain("</script><script>");
    }
    const page = drafts.find(({ path }) => path.endsWith("operations/get-account.html"))?.text;
    expect(page).toContain("&lt;img src&#x3D;x onerror&#x3D;alert(2)&gt;");
    expect(page).toContain("{{y}}{{{z}}}");
  });

  /** The model with the markup before every text that a person wrote. */
  function hostile(sound: ServiceModel): ServiceModel {
    const texts = ["doc", "title", "message", "condition", "action", "deprecated", "since", "section"];
    const changed = (value: unknown, key = ""): unknown => {
      if (typeof value === "string") return texts.includes(key) ? markup + value : value;
      if (Array.isArray(value)) return value.map((item) => changed(item));
      if (typeof value !== "object" || value === null || key === "span") return value;
      const entries = Object.entries(value).map(([name, member]) => [name, changed(member, name)]);
      return Object.fromEntries(entries);
    };
    return Object.assign(structuredClone(sound), changed(sound));
  }
});
