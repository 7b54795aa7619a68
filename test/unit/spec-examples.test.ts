import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { partnerInterface } from "../../generated/partner/methods.ts";
import type {
  SignedInterfaceDescriptor,
  ObjectShape,
  PayloadValidator,
} from "../../runtime/contract/index.ts";
import { readSpecFiles, type SpecMethod } from "../contract/spec-files.ts";

describe.each([
  { folder: "ledger", descriptor: ledgerInterface },
  { folder: "operator", descriptor: operatorInterface },
  { folder: "partner", descriptor: partnerInterface },
])("examples of the $folder interface", ({ folder, descriptor }) => {
  const methods = Object.entries(readSpecFiles(`spec/${folder}`).methods);

  test.each(methods)("%s has a success and a failure", (_, { examples }) => {
    expect(examples.some(({ result }) => result !== undefined)).toBe(true);
    expect(examples.some(({ error }) => error !== undefined)).toBe(true);
  });

  test.each(methods)(
    "%s takes the payloads of its examples, except those answered with BAD_INPUT",
    (name, method) => {
      const descriptorOf = methodOf(descriptor, name);
      const expected = method.examples.map((example) => [example.name, example.error !== "BAD_INPUT"]);
      const found = method.examples.map((example) => [
        example.name,
        descriptorOf.validate(canonical(example.payload, descriptorOf.payload)),
      ]);
      expect(found).toEqual(expected);
    },
  );

  test.each(methods)("%s gives the errors and results of its examples", async (name, method) => {
    const validate = await resultValidator(folder, name);
    for (const { name: example, result, error } of method.examples) {
      if (error !== undefined)
        expect(Object.keys(methodOf(descriptor, name).errors), example).toContain(error);
      if (result === undefined) continue;
      const sent = asSent(result, methodOf(descriptor, name).result);
      expect(validate(sent), `${example}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test.each(methods)("%s shows every field of its result and every form of its payload", (name, method) => {
    const { payload, result } = methodOf(descriptor, name);
    expect(unshown(result, shownBy(method, "result"))).toEqual(neverGiven[name] ?? []);
    expect(
      unshown(
        payload,
        shownBy(method, "payload").map((each) => canonical(each, payload)),
      ),
    ).toEqual([]);
  });
});

/**
 * Fields of a shared type that one method cannot give. A delivery that was given up has no next attempt, one that is
 * sent again is not cancelled, and a new proposal is not decided.
 */
const neverGiven: Readonly<Record<string, readonly string[]>> = {
  ListDeadLetters: ["deliveries.nextAttemptDate", "deliveries.cancelReason"],
  RedeliverOne: ["delivery.cancelReason"],
  ProposeChange: ["proposal.decidedBy", "proposal.decidedDate", "proposal.reason"],
};

function methodOf(descriptor: SignedInterfaceDescriptor, name: string) {
  const method = descriptor.methods[name];
  if (method === undefined) throw new Error(`no method ${name}`);
  return method;
}

async function resultValidator(folder: string, name: string): Promise<PayloadValidator> {
  const path = resolve("generated", folder, "validators/results.js");
  const module: Readonly<Record<string, PayloadValidator>> = await import(pathToFileURL(path).href);
  const validate = module[`validate${name.split(".").at(-1)}Result`];
  if (validate === undefined) throw new Error(`there is no validator of the results of ${name}`);
  return validate;
}

function shownBy({ examples }: SpecMethod, part: "payload" | "result"): readonly unknown[] {
  return examples.flatMap((example) => (example[part] === undefined || example.error ? [] : [example[part]]));
}

/** Fields of a shape, at any depth, that no value has. */
function unshown(shape: ObjectShape, values: readonly unknown[]): readonly string[] {
  return shape.fields.flatMap((field) => {
    const found = values.flatMap((value) => (isObject(value) ? [value[field.name]] : [])).flat();
    const present = found.filter((value) => value !== undefined);
    if (present.length === 0) return [field.name];
    return field.shape ? unshown(field.shape(), present).map((inner) => `${field.name}.${inner}`) : [];
  });
}

/** The value under the field names of the shape, whatever the spelling (D-11). */
function canonical(value: unknown, shape: ObjectShape): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, shape));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const field = shape.fields.find(({ name }) => name.toLowerCase() === key.toLowerCase());
      return [field?.name ?? key, field?.shape ? canonical(inner, field.shape()) : inner];
    }),
  );
}

/** With the second names under which responses repeat a value (D-12). */
function asSent(value: unknown, shape: ObjectShape): unknown {
  if (Array.isArray(value)) return value.map((item) => asSent(item, shape));
  if (!isObject(value)) return value;
  const sent = { ...value };
  for (const { name, alsoSentAs, shape: inner } of shape.fields) {
    if (inner && value[name] !== undefined) sent[name] = asSent(value[name], inner());
    if (alsoSentAs && value[name] !== undefined) sent[alsoSentAs] = value[name];
  }
  return sent;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
