import { randomInt } from "node:crypto";
import type { Access, Samples } from "../../conformance/request/access.ts";
import { shapesOfSamples } from "../../conformance/samples/index.ts";
import { payloadShapes, readingOf } from "../../generator/model/resolve.ts";
import type { ServiceModel, Shape } from "../../generator/model/service-model.ts";
import { protocolOf } from "../../generator/protocols/index.ts";
import { toolsOf } from "../protocols/index.ts";
import { identifierOf } from "./answers.ts";
import { visit, type Identifier } from "./objects.ts";
import { drawn } from "./random.ts";

/** Whether a mock has an access file: its callers have to prove who they are, or it holds objects that calls name. */
export function hasAccess(model: ServiceModel): boolean {
  return hasCallers(model) || model.resources.some(({ samples }) => samples.length > 0);
}

/** Whether callers of a mock have to prove who they are. */
export function hasCallers(model: ServiceModel): boolean {
  return protocolOf(model).isSigned || model.schemes.length > 0;
}

/** Reads who may call: the file that `ledger-rpc conform --access` takes too. @throws Error with every mistake in it */
export function readMockAccess(model: ServiceModel, path: string): Access {
  return toolsOf(model).readAccess(model, path);
}

/** An access file for a mock, as JSON: one caller with new keys, and an object of each kind. */
export function newMockAccess(model: ServiceModel): object {
  return toolsOf(model).newAccess(model, samplesOf(model));
}

/**
 * Identifiers by the names of the samples that payloads name: those of the spec's examples, and new ones where no example
 * has any.
 */
function samplesOf(model: ServiceModel): Samples {
  const reading = readingOf(model);
  const found = new Map<string, Identifier>();
  const take = (shape: Shape, value: unknown): void =>
    visit(model, shape, value, ({ identifies, refersTo }, identifier) => {
      const sample = identifies ?? refersTo;
      if (sample !== undefined && identifier !== "" && !found.has(sample)) found.set(sample, identifier);
    });
  for (const { payload, result, examples } of model.methods)
    for (const example of examples.filter(({ error }) => error === undefined)) {
      for (const shape of payloadShapes(payload)) take(shape, example.payload);
      take(result, example.result);
    }
  const named = shapesOfSamples(
    model.methods.flatMap(({ payload }) => payloadShapes(payload)),
    reading,
  );
  const names = model.resources.flatMap(({ samples }) => samples.map(({ name }) => name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const shapes = named.get(name);
      if (shapes === undefined) return [];
      return [
        [name, found.get(name) ?? identifierOf(shapes, reading, drawn(randomInt(2 ** 32), name))] as const,
      ];
    }),
  );
}
