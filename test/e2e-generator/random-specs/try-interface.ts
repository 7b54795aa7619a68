import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { loadSuite } from "../../../conformance/index.ts";
import { conform } from "../../conformance/patient.ts";
import type { ServiceModel } from "../../../generator/model/index.ts";
import type { SignedInterfaceDescriptor, PayloadValidator } from "../../../runtime/contract/index.ts";
import { seed } from "../../seed.ts";
import { subjectsOf, type Subject } from "../../vectors/vectors-of.ts";
import { serveRandom, type RandomService } from "./random-service.ts";

/** The disagreements in an interface's generated code, one a line. */
export async function tryInterface(model: ServiceModel, folder: string): Promise<readonly string[]> {
  const subjects = subjectsOf(model);
  const judged = await judge(subjects, folder);
  const results = new Map(subjects.map(({ description, candidates }) => [description, candidates]));
  const resultOf = (method: string) =>
    results.get(`result of ${method}`)?.find(({ description }) => description === "maximal")?.data;
  const service = await serveRandom(descriptorIn(await load(folder, "methods.ts")), resultOf);
  try {
    const called = await callAll(model, subjects, folder, service, resultOf);
    const conformed = await conformance(folder, service);
    return [
      ...judged,
      ...called,
      ...conformed,
      ...service.failures.map((cause) => `failed: ${String(cause)}`),
    ];
  } finally {
    await service.stop();
  }
}

/** Ajv, zod and the model have one verdict. */
export async function judge(subjects: readonly Subject[], folder: string): Promise<readonly string[]> {
  const schemas = Object(await load(folder, "schemas.ts"));
  const found: string[] = [];
  for (const { description, validator, schema, candidates, judge: judged } of subjects) {
    const [module = "", name = ""] = validator.split("/");
    const validate: PayloadValidator = Object(await load(folder, `validators/${module}.js`))[name];
    for (const { description: what, data } of candidates) {
      const verdicts = {
        model: judged(data),
        ajv: validate(data),
        zod: schemas[schema].safeParse(data).success,
      };
      if (new Set(Object.values(verdicts)).size > 1)
        found.push(`${description}, ${what}: ${JSON.stringify({ ...verdicts, data })}`);
    }
  }
  return found;
}

/** Every right payload goes through the client to the handler as it is, and the result comes back as it is. */
async function callAll(
  model: ServiceModel,
  subjects: readonly Subject[],
  folder: string,
  { baseUrl, access, received }: RandomService,
  resultOf: (method: string) => unknown,
): Promise<readonly string[]> {
  const module = Object(await load(folder, "client/index.ts"));
  const className = Object.keys(module).find((name) => /^R\d+Client$/i.test(name)) ?? "";
  const { userName, apiKey, keyId, privateKeyPem } = access;
  const client = new module[className]({
    baseUrl,
    credential: { userName, apiKey },
    signer: { keyId, privateKey: privateKeyPem },
    attemptsMax: 1,
  });
  const found: string[] = [];
  for (const { name } of model.methods) {
    const subject = subjects.find(({ description }) => description === `payload of ${name}`);
    const right = subject?.candidates.filter(({ data }) => subject.judge(data) && isKept(data)) ?? [];
    for (const { description, data } of right) {
      const isWhole = description === "minimal" || description === "maximal";
      try {
        const result: unknown = await client.call(name, data);
        if (isWhole && !isDeepStrictEqual(received.get(name), data))
          found.push(
            `${name} ${description}: sent ${JSON.stringify(data)}, received ${JSON.stringify(received.get(name))}`,
          );
        if (!isDeepStrictEqual(result, resultOf(name)))
          found.push(`${name}: gave ${JSON.stringify(resultOf(name))}, came ${JSON.stringify(result)}`);
      } catch (error) {
        found.push(`${name} ${description}: ${JSON.stringify(data)} is refused: ${String(error)}`);
      }
    }
  }
  return found;
}

/** Whether its amounts have no more digits than every reader keeps (D-37). */
function isKept(data: unknown): boolean {
  return !/\d{15}\.\d/.test(JSON.stringify(data));
}

async function conformance(folder: string, { baseUrl, access }: RandomService): Promise<readonly string[]> {
  const { outcomes } = await conform({
    ...loadSuite(join(folder, "conformance")),
    access,
    baseUrl,
    level: "strict",
    seed,
    explore: { runs: 0 },
  });
  return outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, reason, findings }) => `conform ${id}: ${reason ?? JSON.stringify(findings[0])}`);
}

async function load(folder: string, path: string): Promise<unknown> {
  return await import(pathToFileURL(join(folder, path)).href);
}

function descriptorIn(module: unknown): SignedInterfaceDescriptor {
  const found = Object.entries(Object(module)).find(([name]) => name.endsWith("Interface"));
  if (found === undefined) throw new Error("methods.ts exports no interface");
  return Object(found[1]);
}
