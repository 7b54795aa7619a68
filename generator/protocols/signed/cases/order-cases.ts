import { escaped } from "../../../../conformance/values/index.ts";
import type { Edit, RequestPlan } from "../../../../conformance/suite/case.ts";
import type { MethodModel } from "../../../model/service-model.ts";
import { minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";
import { formsOf } from "../../../model/index.ts";

const rule = "first-error-wins";

/** Two faults at once: which of them is reported (D-05). */
export function orderCases(list: CaseList): void {
  if (!list.has(rule)) return;
  for (const method of list.enveloped) {
    pairs(method, list);
    firstField(method, list);
  }
}

const badCredential: Edit = {
  op: "set",
  at: "/credential",
  value: { $basic: ["{{userName}}", "{{wrongApiKey}}"] },
};
const badKey: Edit = { op: "set", at: "/keyId", value: "{{unknown}}" };
const badSignature = { over: "other" } as const;

function pairs(method: MethodModel, list: CaseList): void {
  const auth = method.transport.kind === "enveloped" ? method.transport.auth : [];
  const [credential, keyId, signature] = ["credential", "keyId", "signature"].map((member) =>
    auth.includes(member) ? list.missing(member) : undefined,
  );
  if (credential === undefined || keyId === undefined || signature === undefined) return;
  const base = minimalBase(list.entryOf(method));
  const add = (name: string, title: string, code: string, request: RequestPlan): void =>
    list.add({
      method: method.name,
      name: ["order", name],
      title,
      level: "decisions",
      rule,
      stated: [method],
      request: { base, ...request },
      expect: { kind: "error", codes: [code] },
    });
  const emptied = requiredFields(method)[0];
  const badPayload: readonly Edit[] = emptied === undefined ? [] : [{ op: "omit", at: `/${emptied}` }];
  add("credential-before-key", "wrong credential and unknown key", credential, {
    api: [badCredential, badKey],
  });
  add("credential-before-signature", "wrong credential and wrong signature", credential, {
    api: [badCredential],
    signature: badSignature,
  });
  add("key-before-signature", "unknown key and wrong signature", keyId, {
    api: [badKey],
    signature: badSignature,
  });
  if (badPayload.length > 0) {
    add("signature-before-payload", "wrong signature and wrong payload", signature, {
      edits: badPayload,
      signature: badSignature,
    });
    add("key-before-payload", "unknown key and wrong payload", keyId, { edits: badPayload, api: [badKey] });
    add("credential-before-payload", "wrong credential and wrong payload", credential, {
      edits: badPayload,
      api: [badCredential],
    });
  }
  add("envelope-before-credential", "no id and wrong credential", list.fault("badInput"), {
    api: [badCredential],
    envelope: [{ op: "omit", at: "/id" }],
  });
}

function requiredFields(method: MethodModel): readonly string[] {
  const shape = formsOf(method.payload)[0]?.shape;
  return (shape?.fields ?? [])
    .filter(({ presence }) => presence.kind === "required")
    .map(({ name }) => escaped(name));
}

/** Several wrong fields: the first of them in the order of the document is reported. */
function firstField(method: MethodModel, list: CaseList): void {
  const [first, ...others] = requiredFields(method);
  const last = others.at(-1);
  if (first === undefined || last === undefined || method.payload.kind === "forms") return;
  const badInput = list.fault("badInput");
  const base = minimalBase(list.entryOf(method));
  for (const [name, edits] of [
    [
      "first-field-missing",
      [
        { op: "omit", at: `/${first}` },
        { op: "omit", at: `/${last}` },
      ],
    ],
    [
      "first-field-null",
      [
        { op: "set", at: `/${first}`, value: null },
        { op: "omit", at: `/${last}` },
      ],
    ],
    ["all-fields-missing", [first, ...others].map((field) => ({ op: "omit", at: `/${field}` }) as const)],
  ] as const) {
    list.add({
      method: method.name,
      name: ["order", name],
      title: "several wrong fields: the first in document order is reported",
      level: "decisions",
      rule,
      stated: [method],
      request: { base, edits },
      expect: { kind: "error", codes: [badInput], field: `/${first}` },
    });
  }
}
