import type { Edit, Expectation, RequestPlan } from "../../../conformance/suite/case.ts";
import type { Level } from "../../../conformance/suite/suite.ts";
import type { MethodModel } from "../../model/service-model.ts";
import { minimalBase, type CaseList } from "./case-list.ts";

/** Who is calling: every enveloped operation with each member missing, malformed and wrong; one of them with everything. */
export function authenticationCases(list: CaseList): void {
  const probe = list.probe;
  for (const method of list.enveloped) {
    const cases = new AuthenticationCases(method, list);
    cases.ofEveryOperation();
    if (method === probe) cases.ofTheProbe();
  }
}

interface Draft {
  readonly name: string;
  readonly title: string;
  readonly rule?: string;
  readonly level?: Level;
  readonly request: RequestPlan;
  readonly expect: Expectation;
}

function basic(value: unknown): Edit {
  return { op: "set", at: "/credential", value };
}

class AuthenticationCases {
  readonly #method: MethodModel;
  readonly #list: CaseList;
  readonly #auth: readonly string[];
  readonly #documented: (code: string) => { readonly documented?: true };

  constructor(method: MethodModel, list: CaseList) {
    this.#method = method;
    this.#list = list;
    this.#auth = method.transport.kind === "enveloped" ? method.transport.auth : [];
    const stated = new Set(
      method.errors.filter(({ section }) => section !== undefined).map(({ code }) => code),
    );
    this.#documented = (code) => (stated.has(code) ? { documented: true } : {});
  }

  ofEveryOperation(): void {
    for (const member of ["credential", "keyId", "signature"]) {
      if (!this.#has(member)) continue;
      this.#member(member, "missing", `no ${member}`, { op: "omit", at: `/${member}` }, "document");
      for (const [name, value] of [
        ["null", null],
        ["number", 7],
        ["empty", ""],
      ] as const) {
        this.#member(member, name, `${member} ${name}`, { op: "set", at: `/${member}`, value });
      }
    }
    this.#credential("wrong-api-key", "a wrong API key", ["{{userName}}", "{{wrongApiKey}}"], "document");
    this.#credential("unknown-user", "a user nobody knows", ["{{unknown}}", "{{apiKey}}"], "document");
    this.#member(
      "credential",
      "not-basic",
      "a credential without its first word",
      { op: "set", at: "/credential", value: { $basicWithoutWord: ["{{userName}}", "{{apiKey}}"] } },
      "document",
    );
    this.#apiKey();
    this.#keys();
    this.#signatures();
  }

  #keys(): void {
    if (!this.#has("keyId")) return;
    this.#member(
      "keyId",
      "unknown",
      "a key nobody registered",
      { op: "set", at: "/keyId", value: "{{unknown}}" },
      "document",
    );
  }

  #signatures(): void {
    if (!this.#has("signature")) return;
    this.#member(
      "signature",
      "not-base64",
      "a signature that is no base64",
      { op: "set", at: "/signature", value: "not base64 !" },
      "document",
    );
    this.#refused("flipped-bit", "one bit of the signature flipped", { change: "flip-bit" });
    this.#refused("other-bytes", "the signature of another payload", { over: "other" });
    this.#refused("stranger", "signed with a key nobody registered", { key: "stranger" });
    this.#accepted("p1363", "a signature of 64 bytes, r and s", "signature-encoding", {
      signature: { encoding: "p1363" },
    });
    this.#accepted("bytes-as-sent", "the bytes as sent, with blanks between", "signed-bytes", {
      text: "spaced",
    });
    this.#accepted("canonical-form", "the canonical form, where blanks are sent", "signed-bytes", {
      text: "spaced",
      signature: { over: "canonical" },
    });
    this.#refused(
      "printed-again",
      "what a parser makes of the payload, in the order sent",
      { over: "printed" },
      {
        rule: "signed-bytes",
        text: "reversed",
        needsMany: true,
      },
    );
  }

  /** Variations that the same code answers in every operation: once is enough. */
  // oxlint-disable-next-line max-lines-per-function -- a list of cases, in the order that the suite has
  ofTheProbe(): void {
    this.#member(
      "credential",
      "no-colon",
      "a credential without a colon",
      basic({ $base64: "{{userName}}" }),
    );
    this.#member("credential", "not-base64", "a credential that is no base64", basic("Basic ::::"));
    for (const [name, title, from, to] of [
      ["blank-in-base64", "a blank in its base64", 3, " "],
      ["line-break-in-base64", "a line break in its base64", 8, "\n"],
    ] as const) {
      const text = { $basic: ["{{userName}}", "{{apiKey}}"] };
      this.#member(
        "credential",
        name,
        title,
        basic({ $insert: [text, 6 + from, to] }),
        "decisions",
        to === "\n",
      );
    }
    this.#member("keyId", "other-case", "the key identifier in the other case", {
      op: "set",
      at: "/keyId",
      value: "{{otherCaseKeyId}}",
    });
    this.#member("credential", "word-only", "only the word Basic", basic("Basic "));
    this.#member(
      "credential",
      "bearer",
      "another scheme",
      basic({ $bearer: ["{{userName}}", "{{apiKey}}"] }),
    );
    this.#credential("other-case-user", "the user's name in the other case", [
      "{{otherCaseUserName}}",
      "{{apiKey}}",
    ]);
    this.#credential("other-case-api-key", "the API key in the other case", [
      "{{userName}}",
      "{{otherCaseApiKey}}",
    ]);
    this.#credential("empty-api-key", "an empty API key", ["{{userName}}", ""]);
    this.#credential("empty-user", "an empty user name", ["", "{{apiKey}}"]);
    this.#credential("longer-api-key", "an API key with one character more", ["{{userName}}", "{{apiKey}}0"]);
    this.#credential("swapped", "user and key swapped", ["{{apiKey}}", "{{userName}}"]);
    for (const type of [
      ["array", ["x"]],
      ["object", { x: 1 }],
      ["boolean", true],
    ] as const) {
      for (const member of ["credential", "keyId", "signature"]) {
        if (!this.#has(member)) continue;
        this.#member(member, type[0], `${member} as ${type[0]}`, {
          op: "set",
          at: `/${member}`,
          value: type[1],
        });
      }
    }
    if (!this.#has("signature")) return;
    for (const encoding of ["der", "p1363"] as const) {
      const suffix = encoding === "der" ? "" : "-p1363";
      const bytes = encoding === "der" ? "" : " of 64 bytes";
      for (const [name, title, change] of [
        ["cut", "a signature cut short", "cut"],
        ["extended", "a signature with a byte more", "extend"],
      ] as const)
        this.#refused(`${name}${suffix}`, title + bytes, { change, encoding });
      for (const [name, title, change] of [
        ["url-safe", "base64 of the URL-safe alphabet", "url-safe"],
        ["unpadded", "base64 without its padding", "unpadded"],
        ["line-break", "base64 with a line break", "line-break"],
        ["blank", "base64 with a blank before it", "blank"],
      ] as const) {
        const options = { rule: "signature-encoding", level: "decisions" } as const;
        this.#refused(`${name}${suffix}`, title + bytes, { change, encoding }, options);
      }
    }
    this.#add({
      name: "signature/of-an-earlier-call",
      title: "the signature of an earlier call, with another payload",
      level: "document",
      request: {
        edits: [{ op: "set", at: "/x-unknown", value: "put in" }],
        signature: { over: "earlier" },
      },
      expect: {
        kind: "error",
        codes: [this.#list.missing("signature") ?? ""],
        ...this.#documented(this.#list.missing("signature") ?? ""),
      },
    });
    this.#refused("zero", "a signature of zeros", { change: "zero" });
    this.#refused("zero-p1363", "a signature of zeros, 64 bytes", { change: "zero", encoding: "p1363" });
    this.#refused("p1363-flipped", "one bit flipped of a signature of 64 bytes", {
      change: "flip-bit",
      encoding: "p1363",
    });
    this.#refused("sha512", "signed over SHA-512", { hash: "sha512" });
    this.#refused("envelope", "the signature of the whole envelope", { over: "envelope" });
    this.#refused("nothing", "the signature of nothing", { over: "empty" });
    this.#accepted("escaped", "the bytes as sent, with characters escaped", "signed-bytes", {
      text: "escaped",
    });
    this.#accepted("escaped-canonical", "the canonical form, where escapes are sent", "signed-bytes", {
      text: "escaped",
      signature: { over: "canonical" },
    });
  }

  /** The API key where the operation lists it, and where it does not. */
  #apiKey(): void {
    const code = this.#list.missing("apiKey");
    if (code === undefined) return;
    const rule = this.#rule("missing-authentication");
    const expect = { kind: "error", codes: [code], ...this.#documented(code) } as const;
    if (this.#has("apiKey")) {
      for (const [name, edit, level] of [
        ["missing", { op: "omit", at: "/apiKey" }, "document"],
        ["empty", { op: "set", at: "/apiKey", value: "" }, "decisions"],
        ["null", { op: "set", at: "/apiKey", value: null }, "decisions"],
        ["number", { op: "set", at: "/apiKey", value: 7 }, "decisions"],
      ] as const) {
        this.#add({
          ...rule,
          name: `apiKey/${name}`,
          title: `apiKey ${name}`,
          level,
          request: { api: [edit] },
          expect,
        });
      }
    } else {
      this.#add({
        ...rule,
        name: "apiKey/though-not-listed",
        title: "the right apiKey, though the operation does not list it",
        request: { api: [{ op: "set", at: "/apiKey", value: "{{apiKey}}" }] },
        expect: this.#taken,
      });
    }
    this.#add({
      ...rule,
      name: "apiKey/wrong",
      title: "another apiKey than the credential's",
      level: this.#has("apiKey") ? "document" : "decisions",
      request: { api: [{ op: "set", at: "/apiKey", value: "{{wrongApiKey}}" }] },
      expect,
    });
  }

  #has(member: string): boolean {
    return this.#auth.includes(member);
  }

  #rule(rule: string): { readonly rule?: string } {
    return this.#list.has(rule) ? { rule } : {};
  }

  get #taken(): Expectation {
    const codes = [...this.#list.suite.auth.map(({ missing }) => missing), this.#list.fault("badInput")];
    return { kind: "taken", notCodes: [...new Set(codes)] };
  }

  #member(
    member: string,
    name: string,
    title: string,
    edit: Edit,
    level: Level = "decisions",
    hasControl = false,
  ): void {
    const missing = this.#list.missing(member);
    if (missing === undefined) return;
    const codes = this.#codesOf(missing, hasControl);
    this.#add({
      ...this.#rule("missing-authentication"),
      name: `${member}/${name}`,
      title,
      level,
      request: { api: [edit] },
      expect: { kind: "error", codes, ...this.#documented(codes[0] ?? "") },
    });
  }

  /** A control character is refused before anybody looks at the member that holds it (D-47), or may be. */
  #codesOf(missing: string, hasControl: boolean): readonly string[] {
    if (!hasControl) return [missing];
    const badInput = this.#list.fault("badInput");
    return this.#list.has("control-characters") ? [badInput] : [...new Set([missing, badInput])];
  }

  #credential(name: string, title: string, parts: readonly [string, string], level?: Level): void {
    if (!this.#has("credential")) return;
    this.#member(
      "credential",
      name,
      title,
      { op: "set", at: "/credential", value: { $basic: parts } },
      level,
    );
  }

  #refused(
    name: string,
    title: string,
    signature: RequestPlan["signature"],
    options: {
      readonly rule?: string;
      readonly level?: Level;
      readonly text?: RequestPlan["text"];
      readonly needsMany?: true;
    } = {},
  ): void {
    const missing = this.#list.missing("signature");
    if (missing === undefined || signature === undefined) return;
    const codes = this.#codesOf(missing, signature.change === "line-break");
    if (options.rule !== undefined && !this.#list.has(options.rule)) return;
    const base = this.#baseWith(options.needsMany === true);
    if (base === undefined) return;
    this.#add({
      ...(options.rule === undefined ? {} : { rule: options.rule }),
      name: `signature/${name}`,
      title,
      level: options.level ?? (options.rule === undefined ? "document" : "decisions"),
      request: { ...base, signature, ...(options.text === undefined ? {} : { text: options.text }) },
      expect: { kind: "error", codes, ...this.#documented(codes[0] ?? "") },
    });
  }

  #accepted(name: string, title: string, rule: string, request: RequestPlan): void {
    if (!this.#list.has(rule)) return;
    this.#add({ name: `signature/${name}`, title, rule, request, expect: this.#taken });
  }

  /** The least payload; or, where what is tried needs several members, the first base that has them. */
  #baseWith(many: boolean): RequestPlan | undefined {
    if (!many) return {};
    const { bases } = this.#list.entryOf(this.#method);
    const base = Object.entries(bases).find(([, payload]) => Object.keys(payload ?? {}).length > 1)?.[0];
    return base === undefined ? undefined : { base };
  }

  #add({ name, level = "decisions", request, ...draft }: Draft): void {
    this.#list.add({
      method: this.#method.name,
      name: ["authentication", name],
      stated: [this.#method],
      level,
      ...draft,
      request: { base: minimalBase(this.#list.entryOf(this.#method)), ...request },
    });
  }
}
