import { describe, expect, test } from "vitest";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { testService } from "../../runtime/testing.ts";
import type { JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { interfaceWith, method } from "./interface.ts";

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const document = {
  openrpc: "1.3.2",
  info: { title: "Trial", version: "1.0.0" },
  methods: [
    { name: "look", params: [{ name: "at", schema: reference("Thing") }], "x-security": [{ user: [] }] },
    { name: "erase", params: [{ name: "all", schema: reference("Secret") }], "x-security": [{ admin: [] }] },
  ],
  components: {
    schemas: { Thing: { type: "object", properties: { part: reference("Part") } }, Part: {}, Secret: {} },
    errors: { GONE: { code: 1, message: "Gone" } },
  },
  "x-security": { user: { kind: "x-key" }, admin: { kind: "x-key" } },
};

/** Takes `<scheme> <scope> <scope>` in a header of its own. */
const key: SchemeVerifier = {
  kind: "x-key",
  bind: (_declared, { scheme }) => ({
    verifies: "request",
    verify(evidence) {
      const [given] = evidence.header(scheme);
      if (given === undefined) return { kind: "missing" };
      if (given === "wrong") return { kind: "rejected" };
      return { kind: "identity", identity: { caller: given, scopes: given.split(" ") } };
    },
  }),
};

type Security = JsonRpcInterfaceDescriptor["methods"][string]["security"];

function service(look: Security, erase: Security, headers: Readonly<Record<string, string>>) {
  const descriptor = interfaceWith({
    methods: { look: method("look", { security: look }), erase: method("erase", { security: erase }) },
    schemes: { user: { kind: "x-key" }, admin: { kind: "x-key" } },
    document: JSON.stringify(document),
  });
  const handler = () => Promise.resolve(null);
  return testService(
    descriptor,
    { look: handler, erase: handler },
    { auth: { user: key, admin: key }, headers },
  );
}

function namesIn(found: unknown): readonly string[] {
  const { methods }: { readonly methods: readonly { readonly name: string }[] } = JSON.parse(
    JSON.stringify(found),
  );
  return methods.map(({ name }) => name);
}

describe("rpc.discover", () => {
  test("answers with the document of the interface, whatever the form of its empty params", async () => {
    const { call } = service([], [], {});
    expect(await call("rpc.discover")).toEqual(document);
    expect(await call("rpc.discover", [])).toEqual(document);
    expect(await call("rpc.discover", {})).toEqual(document);
    await expect(call("rpc.discover", [1])).rejects.toMatchObject({ code: -32602 });
  });

  test("wants credentials where every method does", async () => {
    const secured: Security = [{ user: [] }];
    await expect(service(secured, secured, {}).call("rpc.discover")).rejects.toMatchObject({ code: -32001 });
    await expect(service(secured, secured, { user: "wrong" }).call("rpc.discover")).rejects.toMatchObject({
      code: -32001,
    });
    expect(namesIn(await service(secured, secured, { user: "a" }).call("rpc.discover"))).toEqual([
      "look",
      "erase",
    ]);
  });

  test.for<[string, Security, Security, Record<string, string>, readonly string[]]>([
    ["no credentials", [], [{ user: [] }], {}, ["look"]],
    ["a scope that is lacking", [{ user: ["read"] }], [{ user: ["write"] }], { user: "read" }, ["look"]],
    ["every scope", [{ user: ["read"] }], [{ user: ["write"] }], { user: "read write" }, ["look", "erase"]],
    ["no scope at all", [{ user: ["read"] }], [{ user: ["write"] }], { user: "other" }, []],
    ["another scheme", [{ user: [] }], [{ admin: [] }], { admin: "a" }, ["erase"]],
    ["both schemes", [{ user: [] }], [{ admin: [] }], { admin: "a", user: "b" }, ["look", "erase"]],
    ["one of two that must hold", [{ user: [] }], [{ user: [], admin: [] }], { user: "b" }, ["look"]],
  ])("shows a caller with %s what it may call", async ([, look, erase, headers, names]) => {
    expect(namesIn(await service(look, erase, headers).call("rpc.discover"))).toEqual(names);
  });

  test("leaves out the types, errors and schemes of methods that it leaves out", async () => {
    const found = await service([{ user: [] }], [{ admin: [] }], { user: "a" }).call("rpc.discover");
    const { Thing, Part } = document.components.schemas;
    expect(found).toEqual({
      ...document,
      methods: [document.methods[0]],
      components: { schemas: { Thing, Part }, errors: {} },
      "x-security": { user: { kind: "x-key" } },
    });
  });

  test("is an unknown method where it is switched off, or the code was generated without a document", async () => {
    const off = testService(interfaceWith({ methods: {}, document: "{}" }), {}, { discover: false });
    await expect(off.call("rpc.discover")).rejects.toMatchObject({ code: -32601 });
    const without = testService(interfaceWith({ methods: {} }), {});
    await expect(without.call("rpc.discover")).rejects.toMatchObject({ code: -32601 });
  });
});
