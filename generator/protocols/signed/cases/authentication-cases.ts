import type { Edit } from "../../../../conformance/suite/case.ts";
import { AuthenticationDrafts } from "./authentication-drafts.ts";
import type { CaseList } from "../../../targets/conformance/case-list.ts";

/**
 * Authentication cases: every enveloped operation with each member missing, malformed and wrong; one of them with
 * everything.
 */
export function authenticationCases(list: CaseList): void {
  const probe = list.probe;
  for (const method of list.enveloped) {
    const drafts = new AuthenticationDrafts(method, list);
    ofEveryOperation(drafts);
    if (method === probe) ofTheProbe(drafts);
  }
}

function basic(value: unknown): Edit {
  return { op: "set", at: "/credential", value };
}

function ofEveryOperation(drafts: AuthenticationDrafts): void {
  for (const member of ["credential", "keyId", "signature"]) {
    if (!drafts.has(member)) continue;
    drafts.member(member, "missing", `no ${member}`, { op: "omit", at: `/${member}` }, "document");
    for (const [name, value] of [
      ["null", null],
      ["number", 7],
      ["empty", ""],
    ] as const) {
      drafts.member(member, name, `${member} ${name}`, { op: "set", at: `/${member}`, value });
    }
  }
  drafts.credential("wrong-api-key", "a wrong API key", ["{{userName}}", "{{wrongApiKey}}"], "document");
  drafts.credential("unknown-user", "an unknown user", ["{{unknown}}", "{{apiKey}}"], "document");
  drafts.member(
    "credential",
    "not-basic",
    "a credential without its first word",
    { op: "set", at: "/credential", value: { $basicWithoutWord: ["{{userName}}", "{{apiKey}}"] } },
    "document",
  );
  apiKeyCases(drafts);
  keyCases(drafts);
  signatureCases(drafts);
}

function keyCases(drafts: AuthenticationDrafts): void {
  if (!drafts.has("keyId")) return;
  drafts.member(
    "keyId",
    "unknown",
    "an unregistered key",
    { op: "set", at: "/keyId", value: "{{unknown}}" },
    "document",
  );
}

function signatureCases(drafts: AuthenticationDrafts): void {
  if (!drafts.has("signature")) return;
  drafts.member(
    "signature",
    "not-base64",
    "a signature that is no base64",
    { op: "set", at: "/signature", value: "not base64 !" },
    "document",
  );
  drafts.refused("flipped-bit", "one bit of the signature flipped", { change: "flip-bit" });
  drafts.refused("other-bytes", "the signature of another payload", { over: "other" });
  drafts.refused("stranger", "signed with an unregistered key", { key: "stranger" });
  drafts.accepted("p1363", "a signature of 64 bytes, r and s", "signature-encoding", {
    signature: { encoding: "p1363" },
  });
  drafts.accepted("bytes-as-sent", "the bytes as sent, with blanks between", "signed-bytes", {
    text: "spaced",
  });
  drafts.accepted("canonical-form", "the canonical form, where blanks are sent", "signed-bytes", {
    text: "spaced",
    signature: { over: "canonical" },
  });
  drafts.refused(
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
function ofTheProbe(drafts: AuthenticationDrafts): void {
  drafts.member("credential", "no-colon", "a credential without a colon", basic({ $base64: "{{userName}}" }));
  drafts.member("credential", "not-base64", "a credential that is no base64", basic("Basic ::::"));
  for (const [name, title, from, to] of [
    ["blank-in-base64", "a blank in its base64", 3, " "],
    ["line-break-in-base64", "a line break in its base64", 8, "\n"],
  ] as const) {
    const text = { $basic: ["{{userName}}", "{{apiKey}}"] };
    drafts.member(
      "credential",
      name,
      title,
      basic({ $insert: [text, 6 + from, to] }),
      "decisions",
      to === "\n",
    );
  }
  drafts.member("keyId", "other-case", "the key identifier in the other case", {
    op: "set",
    at: "/keyId",
    value: "{{otherCaseKeyId}}",
  });
  drafts.member("credential", "word-only", "only the word Basic", basic("Basic "));
  drafts.member("credential", "bearer", "another scheme", basic({ $bearer: ["{{userName}}", "{{apiKey}}"] }));
  otherCredentials(drafts);
  otherTypes(drafts);
  if (!drafts.has("signature")) return;
  changedSignatures(drafts);
  otherSignatures(drafts);
}

function otherCredentials(drafts: AuthenticationDrafts): void {
  drafts.credential("other-case-user", "the user's name in the other case", [
    "{{otherCaseUserName}}",
    "{{apiKey}}",
  ]);
  drafts.credential("other-case-api-key", "the API key in the other case", [
    "{{userName}}",
    "{{otherCaseApiKey}}",
  ]);
  drafts.credential("empty-api-key", "an empty API key", ["{{userName}}", ""]);
  drafts.credential("empty-user", "an empty user name", ["", "{{apiKey}}"]);
  drafts.credential("longer-api-key", "an API key with one character more", ["{{userName}}", "{{apiKey}}0"]);
  drafts.credential("swapped", "user and key swapped", ["{{apiKey}}", "{{userName}}"]);
}

function otherTypes(drafts: AuthenticationDrafts): void {
  for (const type of [
    ["array", ["x"]],
    ["object", { x: 1 }],
    ["boolean", true],
  ] as const) {
    for (const member of ["credential", "keyId", "signature"]) {
      if (!drafts.has(member)) continue;
      drafts.member(member, type[0], `${member} as ${type[0]}`, {
        op: "set",
        at: `/${member}`,
        value: type[1],
      });
    }
  }
}

/** Each encoding of a signature: cut, extended, and in a base64 that only lenient readers take. */
function changedSignatures(drafts: AuthenticationDrafts): void {
  for (const encoding of ["der", "p1363"] as const) {
    const suffix = encoding === "der" ? "" : "-p1363";
    const bytes = encoding === "der" ? "" : " of 64 bytes";
    for (const [name, title, change] of [
      ["cut", "a signature cut short", "cut"],
      ["extended", "a signature with a byte more", "extend"],
    ] as const)
      drafts.refused(`${name}${suffix}`, title + bytes, { change, encoding });
    for (const [name, title, change] of [
      ["url-safe", "base64 of the URL-safe alphabet", "url-safe"],
      ["unpadded", "base64 without its padding", "unpadded"],
      ["line-break", "base64 with a line break", "line-break"],
      ["blank", "base64 with a blank before it", "blank"],
    ] as const) {
      const options = { rule: "signature-encoding", level: "decisions" } as const;
      drafts.refused(`${name}${suffix}`, title + bytes, { change, encoding }, options);
    }
  }
}

/** Signatures of other bytes, and the two forms of bytes that count. */
function otherSignatures(drafts: AuthenticationDrafts): void {
  drafts.add({
    name: "signature/of-an-earlier-call",
    title: "the signature of an earlier call, with another payload",
    level: "document",
    request: {
      edits: [{ op: "set", at: "/x-unknown", value: "put in" }],
      signature: { over: "earlier" },
    },
    expect: {
      kind: "error",
      codes: [drafts.list.missing("signature") ?? ""],
      ...drafts.documented(drafts.list.missing("signature") ?? ""),
    },
  });
  drafts.refused("zero", "a signature of zeros", { change: "zero" });
  drafts.refused("zero-p1363", "a signature of zeros, 64 bytes", { change: "zero", encoding: "p1363" });
  drafts.refused("p1363-flipped", "one bit flipped of a signature of 64 bytes", {
    change: "flip-bit",
    encoding: "p1363",
  });
  drafts.refused("sha512", "signed over SHA-512", { hash: "sha512" });
  drafts.refused("envelope", "the signature of the whole envelope", { over: "envelope" });
  drafts.refused("nothing", "the signature of nothing", { over: "empty" });
  drafts.accepted("escaped", "the bytes as sent, with characters escaped", "signed-bytes", {
    text: "escaped",
  });
  drafts.accepted("escaped-canonical", "the canonical form, where escapes are sent", "signed-bytes", {
    text: "escaped",
    signature: { over: "canonical" },
  });
}

/** The API key where the operation lists it, and where it does not. */
function apiKeyCases(drafts: AuthenticationDrafts): void {
  const code = drafts.list.missing("apiKey");
  if (code === undefined) return;
  const rule = drafts.rule("missing-authentication");
  const expect = { kind: "error", codes: [code], ...drafts.documented(code) } as const;
  if (drafts.has("apiKey")) {
    for (const [name, edit, level] of [
      ["missing", { op: "omit", at: "/apiKey" }, "document"],
      ["empty", { op: "set", at: "/apiKey", value: "" }, "decisions"],
      ["null", { op: "set", at: "/apiKey", value: null }, "decisions"],
      ["number", { op: "set", at: "/apiKey", value: 7 }, "decisions"],
    ] as const) {
      drafts.add({
        ...rule,
        name: `apiKey/${name}`,
        title: `apiKey ${name}`,
        level,
        request: { api: [edit] },
        expect,
      });
    }
  } else {
    drafts.add({
      ...rule,
      name: "apiKey/though-not-listed",
      title: "the right apiKey, though the operation does not list it",
      request: { api: [{ op: "set", at: "/apiKey", value: "{{apiKey}}" }] },
      expect: drafts.taken,
    });
  }
  drafts.add({
    ...rule,
    name: "apiKey/wrong",
    title: "another apiKey than the credential's",
    level: drafts.has("apiKey") ? "document" : "decisions",
    request: { api: [{ op: "set", at: "/apiKey", value: "{{wrongApiKey}}" }] },
    expect,
  });
}
