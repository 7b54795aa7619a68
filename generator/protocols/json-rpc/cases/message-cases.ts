import type { Edit, Expectation } from "../../../../conformance/suite/case.ts";
import {
  addEndpointCase,
  inFrame,
  omitting,
  refusedAs,
  setting,
  type StandardCases,
} from "./standard-cases.ts";

/** Messages that are no JSON, no request object, or name no method (sections 4, 5.1 and 7), and HTTP around them. */
export function messageCases(cases: StandardCases): void {
  parseErrors(cases);
  invalidRequests(cases);
  members(cases);
  unknownMethods(cases);
  overHttp(cases);
}

function parseErrors(cases: StandardCases): void {
  const expect = withId(refusedAs(cases, "parseError"), null);
  const add = (
    name: string,
    title: string,
    raw: string,
    level: "document" | "decisions" = "document",
  ): void =>
    addEndpointCase(cases, {
      group: "json",
      name,
      title,
      section: "5.1",
      request: { raw: inFrame(cases, raw) },
      expect,
      level,
    });
  add(
    "broken",
    "broken JSON, as in section 7",
    '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
  );
  add("unfinished", "JSON that ends too early", '{"jsonrpc":"2.0","id":1,"method":"x"');
  add("empty", "an empty body", "");
  add("blanks", "only white space", " \n ");
  add("two-values", "two values, one after the other", '{"jsonrpc":"2.0"}{"jsonrpc":"2.0"}', "decisions");
  add("single-quotes", "single quotes", "{'jsonrpc':'2.0'}");
  add("comment", "a comment", '{"jsonrpc":"2.0"/**/}');
  add("nan", "NaN", '{"jsonrpc":"2.0","id":NaN,"method":"x"}');
  add("leading-zero", "a number with a leading zero", '{"jsonrpc":"2.0","id":01,"method":"x"}');
  add("byte-order-mark", "a byte order mark", '\uFEFF{"jsonrpc":"2.0","id":1,"method":"x"}', "decisions");
  add(
    "same-name-twice",
    "a name twice in one object",
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}',
    "decisions",
  );
  add(
    "lone-surrogate",
    "half a surrogate pair",
    String.raw`{"jsonrpc":"2.0","id":"\ud800","method":"x"}`,
    "decisions",
  );
}

function invalidRequests(cases: StandardCases): void {
  const expect = withId(refusedAs(cases, "invalidRequest"), null);
  for (const [name, text] of [
    ["foo", '{"foo":1}'],
    ["empty-object", "{}"],
    ["number", "1"],
    ["string", '"call"'],
    ["null", "null"],
    ["true", "true"],
    ["method-is-number", '{"jsonrpc": "2.0", "method": 1, "params": "bar"}'],
  ] as const) {
    const raw = inFrame(cases, text);
    addEndpointCase(cases, {
      group: "message",
      name,
      title: `${raw} is no request object, and is answered`,
      section: "5.1",
      request: { raw },
      expect,
    });
  }
}

/** A right call with one member that is wrong: the id may have been read, or not. */
function members(cases: StandardCases): void {
  const invalid = refusedAs(cases, "invalidRequest");
  const add = (name: string, title: string, edits: readonly Edit[], expect = withId(invalid, "any")): void =>
    addEndpointCase(cases, {
      group: "envelope",
      name,
      title,
      section: "4",
      request: { envelope: edits },
      expect,
    });
  const { version, id, method, params } = cases.frame;
  if (version !== undefined) {
    const { member, value } = version;
    const other = value === "1.0" ? "2.0" : "1.0";
    add(`${member}-missing`, `no ${member}`, omitting(member));
    add(`${member}-${other}`, `${member} is "${other}"`, setting(member, other));
    add(`${member}-number`, `${member} is the number 2`, setting(member, 2));
  }
  add("method-missing", "no method", omitting(method));
  add("method-number", "the method is a number", setting(method, 1));
  add("method-null", "the method is null", setting(method, null));
  for (const [name, value] of [
    ["string", "bar"],
    ["number", 1],
    ["true", true],
    ["null", null],
  ] as const)
    add(`params-${name}`, `params is ${name}, neither a list nor an object`, setting(params, value), {
      ...withId(refusedAs(cases, "invalidRequest", "badInput"), "any"),
    });
  for (const [name, value] of [
    ["true", true],
    ["object", { a: 1 }],
    ["list", [1]],
  ] as const)
    add(`id-${name}`, `the id is ${name}`, setting(id, value), withId(invalid, null));
}

function unknownMethods(cases: StandardCases): void {
  const { probe, list } = cases;
  const known = new Set(list.suite.methods.map(({ name }) => name));
  const names = ["NoService.NoOperation", "", "rpc.nothing", "__proto__", "constructor", "toString"];
  const cased = probe.name === probe.name.toUpperCase() ? probe.name.toLowerCase() : probe.name.toUpperCase();
  for (const name of [...names, cased, ` ${probe.name}`]) {
    if (known.has(name)) continue;
    addEndpointCase(cases, {
      group: "method",
      name:
        name.trim() === ""
          ? "empty"
          : name === cased
            ? "other-case"
            : name.startsWith(" ")
              ? "blank-before"
              : name,
      title: `there is no method ${JSON.stringify(name)}`,
      section: "5.1",
      request: { envelope: setting(cases.frame.method, name) },
      expect: refusedAs(cases, "methodNotFound"),
    });
  }
}

function overHttp(cases: StandardCases): void {
  const invalid = withId(refusedAs(cases, "invalidRequest"), "any");
  addEndpointCase(cases, {
    group: "http",
    name: "put",
    title: "calls are posted",
    request: { httpMethod: "PUT" },
    expect: { ...invalid, status: [404, 405] },
    level: "strict",
  });
  addEndpointCase(cases, {
    group: "http",
    name: "text",
    title: "a body that says it is plain text: pages of other origins can send it without being asked",
    request: { headers: { "content-type": "text/plain" } },
    expect: { ...invalid, status: [415] },
    level: "strict",
  });
  addEndpointCase(cases, {
    group: "http",
    name: "charset",
    title: "a content type that names UTF-8",
    request: { headers: { "content-type": "application/json; charset=utf-8" } },
    expect: cases.probed,
    level: "decisions",
  });
}

function withId(expect: Expectation, id: null | "any"): Extract<Expectation, { kind: "error" }> {
  if (expect.kind !== "error") throw new Error("only errors are expected without the id of the request");
  return { ...expect, id };
}
