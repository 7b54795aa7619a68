import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import type { Case, Expectation } from "../../../../conformance/suite/case.ts";
import { methodPath } from "../../../model/index.ts";
import type { MethodModel } from "../../../model/service-model.ts";
import { slug } from "../../../../conformance/cases/draft.ts";
import { provesKey } from "../../../../conformance/suite/methods.ts";
import { endpoint, minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";

type AddEndpoint = (
  draft: Pick<Case, "title" | "request" | "expect"> & Partial<Case>,
  ...name: readonly string[]
) => void;

/** The transport: path, HTTP method and headers; and operations that there are not. */
export function endpointCases(list: CaseList): void {
  const { probe } = list;
  if (probe === undefined) return;
  const base = minimalBase(list.entryOf(probe));
  const add: AddEndpoint = (draft, ...name) =>
    list.add({
      method: endpoint,
      name,
      level: "decisions",
      stated: [],
      ...draft,
      request: { base, payload: undefined, ...draft.request },
    });
  if (list.has("post-only")) {
    const badInput = list.fault("badInput");
    methodsAndPaths(add, badInput);
    contentTypes(add, badInput);
    queryCase(add);
  }
  if (list.has("revisions")) revisionCase(add, list.model.revision);
  unknownMethods(list, base);
  if (list.has("unknown-method")) for (const method of list.enveloped) elsewhere(method, list);
}

/** An operation is known at its own path alone. */
function elsewhere(method: MethodModel, list: CaseList): void {
  const { model } = list;
  const paths = [model, ...model.methods].flatMap(({ path }) => path ?? []);
  const own = methodPath(method, model);
  const add = list.adderOf(method, "unknown-method", "path");
  for (const path of new Set(paths))
    if (path !== own) add(slug(path), `sent to ${path}`, { path }, unknownMethod(list));
}

function unknownMethod(list: CaseList): Expectation {
  return {
    kind: "error",
    codes: [list.fault("unauthorized")],
    reason: "unknown-method",
    rpcCode: -32601,
  };
}

/** Refused by HTTP itself. */
function httpError(badInput: string, status: number, headers = {}): Expectation {
  return { kind: "error", codes: [badInput], status, id: null, headers };
}

function methodsAndPaths(add: AddEndpoint, badInput: string): void {
  for (const httpMethod of ["GET", "PUT", "DELETE", "PATCH"]) {
    add(
      {
        title: `HTTP ${httpMethod}`,
        rule: "post-only",
        request: omitUndefined({ httpMethod, raw: httpMethod === "GET" ? "" : undefined }),
        expect: httpError(badInput, 405, { allow: "POST" }),
      },
      "http-method",
      httpMethod,
    );
  }
  for (const [name, path] of [
    ["other", "/{{unknown}}"],
    ["slash-behind", "{{path}}/"],
    ["below", "{{path}}/x"],
    ["root", "/"],
  ] as const) {
    add(
      { title: `path ${path}`, rule: "post-only", request: { path }, expect: httpError(badInput, 404) },
      "path",
      name,
    );
  }
}

function contentTypes(add: AddEndpoint, badInput: string): void {
  for (const type of [null, "text/plain", "application/xml", "application/json; charset=latin1"]) {
    add(
      {
        title: `content type ${type ?? "absent"}`,
        rule: "post-only",
        request: { headers: { "content-type": type } },
        expect: httpError(badInput, 415),
      },
      "content-type",
      slug(type ?? "absent"),
    );
  }
  add(
    {
      title: "a compressed body",
      rule: "post-only",
      request: { headers: { "content-encoding": "gzip" } },
      expect: httpError(badInput, 415),
    },
    "content-encoding",
    "gzip",
  );
  for (const type of [
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
  ]) {
    add(
      {
        title: `content type ${type}`,
        rule: "post-only",
        request: { headers: { "content-type": type } },
        expect: { kind: "result" },
      },
      "content-type",
      slug(type),
    );
  }
}

function queryCase(add: AddEndpoint): void {
  add(
    {
      title: "a query behind the path",
      level: "strict",
      rule: "post-only",
      request: { path: "{{path}}?x=1" },
      expect: { kind: "result" },
    },
    "path",
    "query",
  );
}

function revisionCase(add: AddEndpoint, revision: string): void {
  add(
    {
      title: "the caller says its revision",
      rule: "revisions",
      request: { headers: { "x-interface-revision": revision } },
      expect: { kind: "result" },
    },
    "revision",
    "own",
  );
}

function unknownMethods(list: CaseList, base: string): void {
  const rule = "unknown-method";
  const { probe } = list;
  if (!list.has(rule) || probe === undefined) return;
  const service = probe.service === undefined ? "" : `${probe.service}.`;
  const names = [
    `${service}NoSuchOperation`,
    `NoSuchService.${probe.operation}`,
    probe.operation,
    `${service}${probe.operation}.`,
    ` ${probe.name}`,
    `${probe.name} `,
    "constructor",
    "__proto__",
    "toString",
    "rpc.discover",
    ...list.flat.map(({ name }) => name),
  ];
  const expect = unknownMethod(list);
  for (const method of new Set(names)) {
    if (list.model.methods.some(({ name, transport }) => name === method && transport.kind === "enveloped"))
      continue;
    list.add({
      method: endpoint,
      name: ["unknown-method", slug(`${method}${method.endsWith(" ") ? "-blank" : ""}`)],
      title: `method ${JSON.stringify(method)}`,
      level: "decisions",
      rule,
      stated: [],
      request: { base, envelope: [{ op: "set", at: "/method", value: method }] },
      expect,
    });
  }
  list.add({
    method: endpoint,
    name: ["unknown-method", "before-credential"],
    title: "an unknown method and no credential",
    level: "decisions",
    rule,
    stated: [],
    request: {
      base,
      envelope: [{ op: "set", at: "/method", value: `${service}NoSuchOperation` }],
      api: [{ op: "omit", at: "/credential" }],
    },
    expect,
  });
}

const rule = "header-signatures";

/** Header signatures beside an envelope: optional, and never against what the envelope says (D-23). */
export function headerCases(list: CaseList): void {
  if (!list.has(rule)) return;
  const code = list.fault("invalidSignature");
  for (const method of list.enveloped.filter(({ transport }) => provesKey(transport))) {
    const add = list.adderOf(method, rule, "headers");
    const refused: Expectation = { kind: "error", codes: [code] };
    const codes = [...new Set(list.suite.auth.map(({ missing }) => missing)), list.fault("badInput")];
    const taken: Expectation = { kind: "taken", notCodes: codes };
    add("agree", "headers that agree", { headerSignature: "agrees" }, taken);
    add("other-signature", "another signature in the header", { headerSignature: "differs" }, refused);
    if (method !== list.probe) continue;
    add("other-key", "another key in the header", { headerSignature: "other-key" }, refused);
    add(
      "credential-agrees",
      "only the credential, and it agrees",
      { headerSignature: "credential-only" },
      taken,
    );
    add(
      "other-credential",
      "another credential in the header",
      { headerSignature: "credential-differs" },
      refused,
    );
    add("malformed", "a header that is no signature", { headers: { signature: "nonsense" } }, refused);
    add("device", "a DeviceID beside it", { headers: { deviceid: "device-1" } }, taken, "document");
  }
}
