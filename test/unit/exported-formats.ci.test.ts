import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { formatAccepts } from "../../conformance/values/formats.ts";
import { openApi30 } from "../../generator/targets/openapi/dialect.ts";
import { signedOpenApi } from "../../generator/protocols/signed/documents/openapi.ts";
import { openRpcDocument } from "../../generator/protocols/signed/documents/openrpc.ts";
import { emitter } from "../../generator/targets/json-schema/index.ts";
import type { ServiceModel } from "../../generator/model/service-model.ts";
import { formatPatterns } from "../../generator/language/formats.ts";
import { fc, runs } from "../seed.ts";
import { checkedInterface } from "../vectors/checked-interface.ts";
import { ownSpecs, modelOf } from "../vectors/models.ts";
import { subjectsOf, vectorsOf, type Subject } from "../vectors/vectors-of.ts";

const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };

/** Values that the exported documents judge, as everything else here does. */
describe.each(ownSpecs)("the exported documents of %s", (spec) => {
  const model = modelOf(spec);
  const documents = exportsOf(model);
  const subjects = subjectsOf(model);
  // OpenAPI leaves out second spellings, and takes more members in what the service sends.
  const sentOnce = subjectsOf(withoutSecondSpellings(model));

  /** What the validators and zod say of each value of each subject. */
  let judged: readonly (readonly Judged[])[];
  beforeAll(async () => {
    const checked = await checkedInterface(model);
    judged = await Promise.all(
      subjects.map(async (subject) => {
        const validate = await checked.validator(subject.validator);
        const schema = await checked.zodSchema(subject.schema);
        return subject.candidates.map(({ description, data }) => ({
          description: `${subject.description}, ${description}`,
          data,
          expected: validate(data),
          zod: schema.safeParse(data).success,
        }));
      }),
    );
    await checked.remove();
  });

  test.for(documents)("give each value the verdict of the validators: $name", (exported) => {
    const differences: string[] = [];
    let [count, fitting] = [0, 0];
    for (const [at, subject] of subjects.entries()) {
      const takes = exported.judgeOf(subject);
      if (takes === undefined) continue;
      const isSent =
        !subject.description.startsWith("payload of ") || subject.description.includes(" event ");
      const judge = exported.name.startsWith("openapi") && isSent ? sentOnce[at]?.judge : undefined;
      for (const value of judged[at] ?? []) {
        const { data, expected, zod } = value;
        count += 1;
        fitting += expected ? 1 : 0;
        if (zod === expected && takes(data) === (judge?.(data) ?? expected)) continue;
        differences.push(JSON.stringify(value).slice(0, 300));
      }
    }
    expect(differences.slice(0, 5)).toEqual([]);
    expect(count).toBeGreaterThan(1000);
    expect(fitting).toBeGreaterThan(100);
  });
});

interface Judged {
  readonly description: string;
  readonly data: unknown;
  readonly expected: boolean;
  readonly zod: boolean;
}

test("the pattern of a URL takes what a URL parser takes, in hosts of ASCII", () => {
  const pattern = new RegExp(formatPatterns.url, "u");
  const part = fc.constantFrom(
    ...'a b.c 0 1 08 0x 0xf 255 256 65535 65536 4294967296 0400 . .. - _ ~ ! " ( * { ` & , ; = : [::1] [::1.2.3.04] [1:2:3:4:5:6:7::]'.split(
      " ",
    ),
    ..."1.2.3.4 1.2.3 1.2.3.256 127.1 9 :99999 :65536 :065535 / ? # ^ | < [ ] @ \\".split(" "),
  );
  let fitting = 0;
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const url = `https://${parts.join("")}/a`;
      const expected = formatAccepts("url", url);
      fitting += expected ? 1 : 0;
      expect([url, pattern.test(url)]).toEqual([url, expected]);
    }),
    { numRuns: runs(5000) },
  );
  expect(fitting).toBeGreaterThan(500);
});

/** How other validators read the exported documents. */
describe.each(ownSpecs)("the exported schemas of %s", (spec) => {
  const model = modelOf(spec);
  const documents: Readonly<Record<string, object>> = {
    "json-schema.json": parsed(emitter.emit(model, layout)[0]?.text ?? ""),
    "openapi.json": parsed(JSON.stringify(signedOpenApi(model))),
    "openrpc.json": parsed(JSON.stringify(openRpcDocument(model))),
  };
  const valid = vectorsOf(model, { most: runs(60) }).flatMap(({ schema, tests }) =>
    tests.filter((each) => each.valid).map(({ data }) => ({ schema, data })),
  );

  test("have enough values to try", () => {
    expect(valid.length).toBeGreaterThan(20);
  });

  test.for([
    ["json-schema.json", "#/$defs/"],
    ["openapi.json", "#/components/schemas/"],
  ] as const)("take every right value, formats checked: %s", ([name, prefix]) => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false, ownProperties: true }));
    ajv.addSchema({ ...documents[name], $id: "urn:test:document" });
    const refused = valid.filter(({ schema, data }) => {
      const validate = ajv.getSchema(`urn:test:document${prefix}${schema}`);
      if (validate === undefined) throw new Error(`${name} has no ${schema}`);
      return validate(data) !== true;
    });
    expect(refused.slice(0, 3)).toEqual([]);
  });

  test("use no standard name for another meaning", () => {
    const standard = addFormats.default(new Ajv()).formats;
    for (const [name, document] of Object.entries(documents)) {
      // The widths of numbers mean what they mean in OpenAPI.
      const used = formatsIn(document).filter(
        (format) => Object.hasOwn(standard, format) && !["double", "int32", "int64"].includes(format),
      );
      expect([...new Set(used)], name).toEqual([]);
    }
  });
});

/** A document, and how it judges the values of a payload, result or event that it has. */
interface Exported {
  readonly name: string;
  judgeOf(subject: Subject): ((data: unknown) => boolean) | undefined;
}

function exportsOf(model: ServiceModel): readonly Exported[] {
  const [jsonSchema] = emitter.emit(model, layout);
  const inComponents = (name: string, document: object): Exported => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
    ajv.addSchema({ ...asJsonSchema(document), $id: "urn:test:document" });
    return { name, judgeOf: ({ schema }) => judgeAt(ajv, `/components/schemas/${schema}`) };
  };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema({ ...parsed(jsonSchema?.text ?? ""), $id: "urn:test:document" });
  return [
    { name: "json-schema.json", judgeOf: ({ schema }) => judgeAt(ajv, `/$defs/${schema}`) },
    inComponents("openapi.json", signedOpenApi(model)),
    inComponents("openapi-3.0.json", signedOpenApi(model, openApi30)),
    openRpcExport(model),
  ];
}

/** Its flat payloads are a parameter for each member, its events are not there. */
function openRpcExport(model: ServiceModel): Exported {
  const document: {
    readonly methods: readonly {
      readonly name: string;
      readonly params: readonly { readonly name: string }[];
    }[];
  } = JSON.parse(JSON.stringify(openRpcDocument(model)));
  const ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema({ ...document, $id: "urn:test:document" });
  return {
    name: "openrpc.json",
    judgeOf({ description }) {
      const [kind, name] = description.split(" of ");
      const at = document.methods.findIndex((method) => method.name === name);
      if (kind === "result") return judgeAt(ajv, `/methods/${at}/result/schema`);
      const param = document.methods[at]?.params.findIndex((each) => each.name === "payload") ?? -1;
      const isFlat = model.methods[at]?.transport.kind !== "enveloped";
      return param < 0 || isFlat ? undefined : judgeAt(ajv, `/methods/${at}/params/${param}/schema`);
    },
  };
}

function judgeAt(ajv: Ajv | Ajv2020, pointer: string): (data: unknown) => boolean {
  const validate = ajv.getSchema(`urn:test:document#${pointer}`);
  if (validate === undefined) throw new Error(`there is no ${pointer}`);
  return (data) => validate(data) === true;
}

/** In 3.0 an exclusive limit is a flag. */
function asJsonSchema(document: object): object {
  return JSON.parse(
    JSON.stringify(document, (_, part: unknown) => {
      if (typeof part !== "object" || part === null) return part;
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = Object(part);
      if (exclusiveMinimum !== true && exclusiveMaximum !== true) return part;
      return {
        ...rest,
        [exclusiveMinimum === true ? "exclusiveMinimum" : "minimum"]: minimum,
        [exclusiveMaximum === true ? "exclusiveMaximum" : "maximum"]: maximum,
      };
    }),
  );
}

function withoutSecondSpellings(model: ServiceModel): ServiceModel {
  return JSON.parse(
    JSON.stringify(model, (key, value: unknown) =>
      key === "alsoSentAs" || (key === "closed" && value === true) ? undefined : value,
    ),
  );
}

function formatsIn(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === "format" && typeof value === "string" ? [value] : formatsIn(value),
  );
}

function parsed(text: string): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("not an object");
  return value;
}
