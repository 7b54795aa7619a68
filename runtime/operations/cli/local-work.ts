import { omitUndefined } from "../../contract/index.ts";
import { rotateServiceKeys } from "../../events/index.ts";
import { auditedByAll } from "../../store/audit/index.ts";
import { loadConfig, serviceNames } from "../config/index.ts";
import { compose, type Application, type Service } from "../../server/index.ts";
import { readPublicKey } from "../../auth/signing/index.ts";
import {
  addUser,
  revokeUser,
  rotateUser,
  type LocalChange,
  type NewUser,
  type UserRotation,
} from "../admin/index.ts";
import { institutionsByName } from "../../store/tables/index.ts";
import { createLogger } from "../log/logger.ts";
import { askService, controlSocketOf } from "./control-socket.ts";
import { starting } from "./startup-error.ts";

/** The users that an application's commands manage on the service's machine. */
export interface Managed {
  /** The command: `users`. */
  readonly command: string;
  /** One of them: `user`. */
  readonly noun: string;
  /** The interfaces whose users they are; the first where none is named. */
  readonly realms: readonly string[];
  /** The institution of users that are added without one. Absent: it has to be named. */
  readonly institution?: { readonly id: string; readonly name: string };
  /** @throws Error for a user who may not be added; `institutionIds` are those there are */
  check?(user: NewUser, institutionIds: readonly string[]): void;
  /** The users as a terminal shows them, in a list named `users`. Default: columns. */
  listText?(users: Readonly<Record<string, readonly object[]>>): Promise<string>;
}

/** An application whose users are managed. */
export interface LocalProgram {
  readonly application: Application;
  readonly managed: Managed;
}

/**
 * What can be done on the service's machine alone, with its settings, and by no request. The service that has the SQLite
 * file does it, asked by its socket; over PostgreSQL, and where no service runs, the command itself does.
 */
export type LocalWork =
  | { readonly kind: "add-user"; readonly realm: string; readonly user: NewUser }
  | ({ readonly kind: "rotate-user"; readonly realm: string } & UserRotation)
  | { readonly kind: "revoke-user"; readonly realm: string; readonly userName: string }
  | { readonly kind: "rotate-service-keys"; readonly algorithm?: ServiceKeyAlgorithm };

export const serviceKeyAlgorithms = ["ES256", "EdDSA"] as const;
export type ServiceKeyAlgorithm = (typeof serviceKeyAlgorithms)[number];

/** What became of it, to be printed: names and texts. */
export type LocalResult = Readonly<Record<string, string>>;

/** Does it, or has the running service do it. */
export async function done(program: LocalProgram, work: LocalWork): Promise<LocalResult> {
  const config = loadConfig(program.application, process.env);
  const path = controlSocketOf(config.database.url);
  const answer = path === undefined ? undefined : await askService(path, { ...work });
  return answer === undefined ? starting(config, () => doneHere(program, work)) : resultOf(answer);
}

/** Answers what commands ask by the service's socket. */
export function answerLocalWork(
  program: LocalProgram,
  service: Service,
): (request: unknown) => Promise<object> {
  return async (request) => {
    const work = readWork(request);
    const result = await carryOut(program, service, work);
    const about = work.kind === "add-user" ? work.user : work;
    const userName = "userName" in about ? about.userName : undefined;
    service.logger.info(omitUndefined({ work: work.kind, userName }), "done by a local command");
    return result;
  };
}

async function doneHere(program: LocalProgram, work: LocalWork): Promise<LocalResult> {
  const { application } = program;
  const config = loadConfig(application, process.env);
  const logger = createLogger(application, config.logLevel);
  const service = await compose(application, { config, logger, migrate: false });
  try {
    return await carryOut(program, service, work);
  } finally {
    await service.close();
  }
}

async function carryOut(program: LocalProgram, service: Service, work: LocalWork): Promise<LocalResult> {
  switch (work.kind) {
    case "add-user": {
      const { user } = work;
      program.managed.check?.(user, await institutionsOf(service));
      const access = await addUser(service, user, changeBy(program, work.realm));
      return { userName: user.userName, ...access };
    }
    case "rotate-user": {
      const access = await rotateUser(service, work, changeBy(program, work.realm));
      service.invalidateCaller(work.userName);
      return { userName: work.userName, ...access };
    }
    case "revoke-user": {
      const { apiKeys, keys } = await revokeUser(service, work.userName, changeBy(program, work.realm));
      service.invalidateCaller(work.userName);
      return { userName: work.userName, apiKeysRevoked: `${apiKeys}`, keysRevoked: `${keys}` };
    }
    case "rotate-service-keys":
      return rotatedServiceKeys(program, service, work.algorithm);
  }
}

/** The change as the audit log names it. @throws Error for an interface whose users are managed otherwise */
function changeBy({ application, managed }: LocalProgram, realm: string): LocalChange {
  const { command, noun, realms } = managed;
  if (!realms.includes(realm)) throw new Error(`no ${noun} is of the ${realm} interface`);
  return { realm, noun, command: `${serviceNames(application).program} ${command}` };
}

/** Every institution sees in its audit log that the keys changed. */
async function rotatedServiceKeys(
  { application }: LocalProgram,
  { store, clock, sealer }: Service,
  algorithm: ServiceKeyAlgorithm | undefined,
): Promise<LocalResult> {
  const algorithms = algorithm === undefined ? serviceKeyAlgorithms : [algorithm];
  const rotated = await store.write(async (plain) => {
    const institutionIds = (await plain.many(institutionsByName)).map(({ id }) => id);
    const by = {
      institutionIds,
      operation: `${serviceNames(application).program} service-keys rotate`,
      clock,
    };
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
    case "add-user": {
      const given = memberOf(request, "user");
      const scopes = memberOf(given, "scopes");
      const user = omitUndefined({
        institutionId: textOf(given, "institutionId"),
        institutionName: optionalText(given, "institutionName"),
        userName: textOf(given, "userName"),
        email: textOf(given, "email"),
        scopes: Array.isArray(scopes) ? scopes.map(String) : undefined,
        publicKeyPem: pemOf(textOf(given, "publicKeyPem")),
      });
      return { kind, realm: textOf(request, "realm"), user };
    }
    case "rotate-user": {
      const [overlap, pem] = [memberOf(request, "overlapSeconds"), optionalText(request, "publicKeyPem")];
      if (typeof overlap !== "number") throw lacking("overlapSeconds");
      const publicKeyPem = pem === undefined ? undefined : pemOf(pem);
      return {
        kind,
        realm: textOf(request, "realm"),
        userName: textOf(request, "userName"),
        overlapSeconds: overlap,
        ...omitUndefined({ publicKeyPem }),
      };
    }
    case "revoke-user":
      return { kind, realm: textOf(request, "realm"), userName: textOf(request, "userName") };
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
