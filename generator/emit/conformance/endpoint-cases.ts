import type { Case } from "../../../conformance/suite/case.ts";
import { endpoint, minimalBase, slug, type CaseList } from "./case-list.ts";

/** The transport: path, HTTP method and headers; and operations that there are not. */
// oxlint-disable-next-line max-lines-per-function -- a list of cases, in the order that the suite has
export function endpointCases(list: CaseList): void {
  const { probe } = list;
  if (probe === undefined) return;
  const base = minimalBase(list.entryOf(probe));
  const add = (draft: Pick<Case, "title" | "request" | "expect"> & Partial<Case>, ...name: string[]): void =>
    list.add({
      method: endpoint,
      name,
      level: "decisions",
      stated: [],
      ...draft,
      request: { base, payload: undefined, ...draft.request },
    });
  const badInput = list.fault("badInput");

  if (list.has("post-only")) {
    const refused = (status: number, headers = {}) =>
      ({ kind: "error", codes: [badInput], status, id: null, headers }) as const;
    for (const httpMethod of ["GET", "PUT", "DELETE", "PATCH"]) {
      add(
        {
          title: `HTTP ${httpMethod}`,
          rule: "post-only",
          request: { httpMethod, ...(httpMethod === "GET" ? { raw: "" } : {}) },
          expect: refused(405, { allow: "POST" }),
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
        { title: `path ${path}`, rule: "post-only", request: { path }, expect: refused(404) },
        "path",
        name,
      );
    }
    for (const type of [null, "text/plain", "application/xml", "application/json; charset=latin1"]) {
      add(
        {
          title: `content type ${type ?? "absent"}`,
          rule: "post-only",
          request: { headers: { "content-type": type } },
          expect: refused(415),
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
        expect: refused(415),
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
  if (list.has("revisions")) {
    add(
      {
        title: "the caller says its revision",
        rule: "revisions",
        request: { headers: { "x-interface-revision": list.model.revision } },
        expect: { kind: "result" },
      },
      "revision",
      "own",
    );
  }
  unknownMethods(list, base);
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
  const expect = {
    kind: "error",
    codes: [list.fault("unauthorized")],
    reason: "unknown-method",
    rpcCode: -32601,
  } as const;
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
