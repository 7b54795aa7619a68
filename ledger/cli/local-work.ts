import { omitUndefined } from "../../runtime/contract/index.ts";
import { rotateServiceKeys } from "../../runtime/events/index.ts";
import { auditedByAll } from "../../runtime/store/audit/index.ts";
import {
  createOperator,
  requireFitting,
  revokeOperator,
  rotateOperator,
  type NewOperator,
  type OperatorRotation,
} from "../seed/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { compose, type Service } from "../../runtime/server/index.ts";
import { application } from "../application.ts";
import { readPublicKey } from "../../runtime/auth/signing/index.ts";
import { askService, controlSocketOf } from "../../runtime/operations/cli/control-socket.ts";
import { createLogger } from "../../runtime/operations/cli/logger.ts";
import { starting } from "../../runtime/operations/cli/startup-error.ts";
import { institutionsByName } from "../../runtime/store/tables/index.ts";

/**
 * What can be done on the service's machine alone, with its settings, and by no request. The service that has the SQLite
 * file does it, asked by its socket; over PostgreSQL, and where no service runs, the command itself does.
 */
export type LocalWork =
  | { readonly kind: "add-operator"; readonly operator: NewOperator }
  | ({ readonly kind: "rotate-operator" } & OperatorRotation)
  | { readonly kind: "revoke-operator"; readonly userName: string }
  | { readonly kind: "rotate-service-keys"; readonly algorithm?: ServiceKeyAlgorithm };

export const serviceKeyAlgorithms = ["ES256", "EdDSA"] as const;
export type ServiceKeyAlgorithm = (typeof serviceKeyAlgorithms)[number];

/** What became of it, to be printed: names and texts. */
export type LocalResult = Readonly<Record<string, string>>;

/** Does it, or has the running service do it. */
export async function done(work: LocalWork): Promise<LocalResult> {
  const config = loadConfig(application, process.env);
  const path = controlSocketOf(config.database.url);
  const answer = path === undefined ? undefined : await askService(path, { ...work });
  return answer === undefined ? starting(config, () => doneHere(work)) : resultOf(answer);
}

/** Answers what commands ask by the service's socket. */
export function answerLocalWork(service: Service): (request: unknown) => Promise<object> {
  return async (request) => {
    const work = readWork(request);
    const result = await carryOut(service, work);
    const about = work.kind === "add-operator" ? work.operator : work;
    const userName = "userName" in about ? about.userName : undefined;
    service.logger.info(omitUndefined({ work: work.kind, userName }), "done by a local command");
    return result;
  };
}

async function doneHere(work: LocalWork): Promise<LocalResult> {
  const config = loadConfig(application, process.env);
  const service = await compose(application, {
    config,
    logger: createLogger(application, config.logLevel),
    migrate: false,
  });
  try {
    return await carryOut(service, work);
  } finally {
    await service.close();
  }
}

async function carryOut(service: Service, work: LocalWork): Promise<LocalResult> {
  switch (work.kind) {
    case "add-operator": {
      const { operator } = work;
      requireFitting(operator, await institutionsOf(service));
      const access = await createOperator(service, operator);
      return { userName: operator.userName, ...access };
    }
    case "rotate-operator": {
      const access = await rotateOperator(service, work);
      service.invalidateCaller(work.userName);
      return { userName: work.userName, ...access };
    }
    case "revoke-operator": {
      const { apiKeys, keys } = await revokeOperator(service, work.userName);
      service.invalidateCaller(work.userName);
      return { userName: work.userName, apiKeysRevoked: `${apiKeys}`, keysRevoked: `${keys}` };
    }
    case "rotate-service-keys":
      return rotatedServiceKeys(service, work.algorithm);
  }
}

/** Every institution sees in its audit log that the keys changed. */
async function rotatedServiceKeys(
  { store, clock, sealer }: Service,
  algorithm: ServiceKeyAlgorithm | undefined,
): Promise<LocalResult> {
  const algorithms = algorithm === undefined ? serviceKeyAlgorithms : [algorithm];
  const rotated = await store.write(async (plain) => {
    const institutionIds = (await plain.many(institutionsByName)).map(({ id }) => id);
    const by = { institutionIds, operation: "ledger-server service-keys rotate", clock };
    return rotateServiceKeys({ store: auditedByAll(plain, by), sealer, clock }, algorithms);
  });
  const result: Record<string, string> = {};
  for (const { key, signsFrom } of rotated) {
    result[key.algorithm] = key.keyId;
    result["signsFrom"] = new Date(signsFrom).toISOString();
  }
  return result;
}

async function institutionsOf({ store }: Service): Promise<readonly string[]> {
  return (await store.read((view) => view.many(institutionsByName))).map(({ id }) => id);
}

/** @throws Error for a request of another version's command. */
function readWork(request: unknown): LocalWork {
  const kind = textOf(request, "kind");
  switch (kind) {
    case "add-operator": {
      const given = memberOf(request, "operator");
      const operator = omitUndefined({
        institutionId: textOf(given, "institutionId"),
        institutionName: optionalText(given, "institutionName"),
        userName: textOf(given, "userName"),
        email: textOf(given, "email"),
        publicKeyPem: pemOf(textOf(given, "publicKeyPem")),
      });
      return { kind, operator };
    }
    case "rotate-operator": {
      const [overlap, pem] = [memberOf(request, "overlapSeconds"), optionalText(request, "publicKeyPem")];
      if (typeof overlap !== "number") throw lacking("overlapSeconds");
      const publicKeyPem = pem === undefined ? undefined : pemOf(pem);
      return {
        kind,
        userName: textOf(request, "userName"),
        overlapSeconds: overlap,
        ...omitUndefined({ publicKeyPem }),
      };
    }
    case "revoke-operator":
      return { kind, userName: textOf(request, "userName") };
    case "rotate-service-keys": {
      const asked = optionalText(request, "algorithm");
      const algorithm = serviceKeyAlgorithms.find((each) => each === asked);
      if (asked !== algorithm) throw lacking("algorithm");
      return { kind, ...omitUndefined({ algorithm }) };
    }
    default:
      throw new Error(`the service knows no ${kind}: is it of another version?`);
  }
}

function resultOf(answer: unknown): LocalResult {
  const members = typeof answer === "object" && answer !== null ? Object.entries(answer) : [];
  return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
}

function pemOf(pem: string): string {
  if (readPublicKey(pem) === undefined) throw new Error("publicKeyPem is no P-256 key");
  return pem;
}

function textOf(value: unknown, name: string): string {
  const found = optionalText(value, name);
  if (found === undefined) throw lacking(name);
  return found;
}

function lacking(name: string): Error {
  return new Error(`${name} is missing: is the service of another version?`);
}

function optionalText(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name);
  return typeof found === "string" ? found : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
