import type { Edit, Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import { selectedFlat } from "../../../model/index.ts";
import type { MethodModel } from "../../../model/service-model.ts";
import {
  endpoint,
  minimalBase,
  type AddCase,
  type CaseList,
} from "../../../targets/conformance/case-list.ts";

/** Flat bodies: how they are selected, and how their headers authenticate them (D-22). */
export function flatCases(list: CaseList): void {
  if (list.has("flat-selection")) selection(list);
  if (list.has("flat-authentication")) for (const method of list.flat) authentication(method, list);
}

function selection(list: CaseList): void {
  const rule = "flat-selection";
  const badInput = list.fault("badInput");
  const add = (
    method: string,
    name: string,
    title: string,
    request: RequestPlan,
    expect: Expectation,
  ): void =>
    list.add({
      method,
      name: ["selection", name],
      title,
      level: "decisions",
      rule,
      stated: [],
      request,
      expect,
    });
  const refused: Expectation = { kind: "error", codes: [badInput] };
  add(endpoint, "empty-object", "a body without members", { raw: "{}" }, refused);
  add(endpoint, "unknown-members", "a body that is no operation's", { raw: '{"x-unknown":1}' }, refused);
  for (const method of list.flat) {
    if (method.transport.kind !== "flat") continue;
    const base = minimalBase(list.entryOf(method));
    for (const mark of ["method", "params", "jsonrpc"]) {
      const edit: Edit = {
        op: "set",
        at: `/${mark}`,
        value: mark === "jsonrpc" ? "2.0" : mark === "method" ? "x" : {},
      };
      add(
        method.name,
        `with-${mark}`,
        `a flat body with ${mark} is an envelope`,
        { base, edits: [edit] },
        refused,
      );
    }
    for (const field of method.transport.selectedBy) {
      const required = requiredOf(method);
      const [firstMissing] = required.filter((name) => name !== field);
      if (firstMissing === undefined || required.length < 2) continue;
      const value = valueOf(list.entryOf(method).bases[base], field);
      if (value === undefined) continue;
      add(
        method.name,
        `by-${field}`,
        `${field} alone selects the operation`,
        { payload: { [field]: value } },
        { kind: "error", codes: [badInput], field: `/${firstMissing}` },
      );
    }
  }
}

function error(code: string): Expectation {
  return { kind: "error", codes: [code] };
}

function api(edit: Edit): RequestPlan {
  return { api: [edit] };
}

function requiredOf(method: MethodModel): readonly string[] {
  if (method.payload.kind !== "single") return [];
  return method.payload.shape.fields
    .filter(({ presence }) => presence.kind === "required")
    .map(({ name }) => name);
}

function valueOf(payload: unknown, name: string): unknown {
  return Object.entries(payload ?? {}).find(([key]) => key === name)?.[1];
}

function authentication(method: MethodModel, list: CaseList): void {
  const [credential = "", keyId = "", signature = ""] = ["credential", "keyId", "signature"].map((member) =>
    list.missing(member),
  );
  const add = list.adderOf(method, "flat-authentication", "authentication");
  credentialCases(add, credential, keyId);
  signatureCases(add, keyId, signature);
  add(
    "first-credential",
    "wrong credential and unknown key",
    {
      api: [
        { op: "set", at: "/credential", value: { $basic: ["{{userName}}", "{{wrongApiKey}}"] } },
        { op: "set", at: "/keyId", value: "{{unknown}}" },
      ],
    },
    error(credential),
  );
  const { bases } = list.entryOf(method);
  const members = new Map(Object.entries(bases[minimalBase(list.entryOf(method))] ?? {}));
  const field = requiredOf(method).find(
    (name) =>
      selectedFlat(list.model.methods, method.path, (each) =>
        each === name ? undefined : members.get(each),
      ) === method,
  );
  if (field === undefined) return;
  add(
    "signature-before-payload",
    "wrong signature and wrong payload",
    {
      edits: [{ op: "omit", at: `/${field}` }],
      signature: { over: "other" },
    },
    error(signature),
  );
}

function credentialCases(add: AddCase, credential: string, keyId: string): void {
  add("no-authorization", "no Authorization", { headers: { authorization: null } }, error(credential));
  add(
    "wrong-api-key",
    "a wrong API key",
    api({ op: "set", at: "/credential", value: { $basic: ["{{userName}}", "{{wrongApiKey}}"] } }),
    error(credential),
  );
  add(
    "unknown-user",
    "an unknown user",
    api({ op: "set", at: "/credential", value: { $basic: ["{{unknown}}", "{{apiKey}}"] } }),
    error(credential),
  );
  add("bearer", "another scheme", { headers: { authorization: "Bearer {{apiKey}}" } }, error(credential));
  add(
    "unknown-key",
    "an unregistered key",
    api({ op: "set", at: "/keyId", value: "{{unknown}}" }),
    error(keyId),
  );
  add(
    "no-key",
    "a Signature without keyId",
    { headers: { signature: "algorithm=ecdsa-sha256,signature=AQID" } },
    error(keyId),
  );
}

function signatureCases(add: AddCase, keyId: string, signature: string): void {
  add(
    "no-signature-header",
    "no Signature",
    { headers: { signature: null } },
    { kind: "error", codes: [keyId, signature] },
  );
  add(
    "no-signature",
    "a Signature without signature",
    { headers: { signature: "keyId={{keyId}},algorithm=ecdsa-sha256" } },
    error(signature),
  );
  add(
    "flipped-bit",
    "one bit of the signature flipped",
    { signature: { change: "flip-bit" } },
    error(signature),
  );
  add("other-bytes", "the signature of another body", { signature: { over: "other" } }, error(signature));
  add("stranger", "signed with an unregistered key", { signature: { key: "stranger" } }, error(signature));
  add(
    "canonical-form",
    "the canonical form, where blanks are sent",
    { text: "spaced", signature: { over: "canonical" } },
    error(signature),
  );
  add("bytes-as-sent", "the bytes as sent, with blanks between", { text: "spaced" }, { kind: "result" });
  add("p1363", "a signature of 64 bytes, r and s", { signature: { encoding: "p1363" } }, { kind: "result" });
}
