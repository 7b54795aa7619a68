import { generateKeyPairSync, randomBytes, randomInt, type KeyObject } from "node:crypto";
import { omitUndefined } from "../../conformance/omit-undefined.ts";
import { openAccess, type Access, type Samples } from "../../conformance/request/access.ts";
import { isOwnKind } from "../../conformance/suite/json-rpc.ts";
import type { Credential } from "../../conformance/request/credential.ts";
import { newKeyPair } from "../../conformance/request/sign.ts";
import { openStandardAccess } from "../../conformance/request/standard-access.ts";
import { payloadShapes, readingOf } from "../../generator/model/resolve.ts";
import type { SchemeModel, ServiceModel, Shape } from "../../generator/model/service-model.ts";
import { shapesOfSamples } from "../../conformance/samples/index.ts";
import { identifierOf } from "./answers.ts";
import { visit, type Identifier } from "./objects.ts";
import { drawn } from "./random.ts";

/** Whether a mock has an access file: its callers have to prove who they are, or it holds objects that calls name. */
export function hasAccess(model: ServiceModel): boolean {
  return hasCallers(model) || model.resources.some(({ samples }) => samples.length > 0);
}

/** Whether callers of a mock have to prove who they are. */
export function hasCallers({ wire, schemes }: ServiceModel): boolean {
  return wire.protocol === "signed-envelope" || schemes.length > 0;
}

/** Reads who may call: the file that `ledger-rpc conform --access` takes too. @throws Error with every mistake in it */
export function readMockAccess({ wire, schemes }: ServiceModel, path: string): Access {
  if (wire.protocol === "signed-envelope") return openAccess(path);
  const { protocol, http, batch } = wire;
  return openStandardAccess(path, { protocol, ...http, batch, schemes });
}

/** An access file for a mock, as JSON: one caller with new keys, and an object of each kind. */
export function newMockAccess(model: ServiceModel): object {
  const samples = samplesOf(model);
  if (model.wire.protocol !== "signed-envelope")
    return {
      credentials: Object.fromEntries(
        model.schemes.flatMap((scheme) => {
          const credential = newCredential(scheme);
          return credential === undefined ? [] : [[scheme.name, credential] as const];
        }),
      ),
      samples,
    };
  const { privateKeyPem } = newKeyPair();
  const identity = { userName: "mock", apiKey: newSecret(), keyId: "mock-key", privateKeyPem };
  // The suite calls an interface of this name as its operator.
  return {
    ...identity,
    ...omitUndefined({ operator: model.name === "operator" ? identity : undefined }),
    samples,
  };
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

/** A credential that a scheme takes; nothing for certificates. */
function newCredential(scheme: SchemeModel): object | undefined {
  const { kind, options } = scheme;
  const algorithms = options["algorithms"];
  const [algorithm] = Array.isArray(algorithms) ? algorithms.map(String) : [];
  switch (kind) {
    case "basic":
      return { user: "mock", password: newSecret() };
    case "bearer":
      return { token: newSecret(), limited: newSecret(), expired: newSecret() };
    case "api-key":
      return { key: newSecret(), limited: newSecret(), expired: newSecret() };
    case "hmac":
      return { keyId: "mock-key", secret: newSecret() };
    case "jwt":
    case "message-signature":
      return signingCredential(algorithm ?? "");
    default:
      return isOwnKind(scheme) ? newHeaders(scheme) : undefined;
  }
}

/** Headers for a scheme of the project's own, whose form only its verifier knows. */
function newHeaders({ kind, options }: SchemeModel): object {
  const name = typeof options["header"] === "string" ? options["header"] : kind;
  const headers = (): object => ({ [name]: newSecret() });
  return { headers: headers(), wrong: headers(), expired: headers(), limited: headers() };
}

/** A secret where the algorithm is symmetric (RFC 7518, section 3.2: as long as the hash), or else a private key. */
function signingCredential(algorithm: string): Credential {
  if (/^HS|^hmac/.test(algorithm)) return { keyId: "mock-key", secret: newSecret(64), algorithm };
  const privateKeyPem = newPrivateKey(algorithm).export({ type: "pkcs8", format: "pem" }).toString();
  return { keyId: "mock-key", privateKeyPem, algorithm };
}

function newPrivateKey(algorithm: string): KeyObject {
  if (/^ed/i.test(algorithm)) return generateKeyPairSync("ed25519").privateKey;
  const namedCurve = curves.get(algorithm);
  if (namedCurve !== undefined) return generateKeyPairSync("ec", { namedCurve }).privateKey;
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

const curves: ReadonlyMap<string, string> = new Map([
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
  ["ecdsa-p256-sha256", "P-256"],
  ["ecdsa-p384-sha384", "P-384"],
]);

function newSecret(bytes = 24): string {
  return randomBytes(bytes).toString("base64url");
}
