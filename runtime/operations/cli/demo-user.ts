import { generateKeyPairSync } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realmsOf, type AnyRow, type Application, type Service } from "../../server/index.ts";
import type { UserRecord } from "../../store/ports/index.ts";
import { userByName } from "../../store/tables/index.ts";
import { addUser, hasValidCredential, revokeUser, type LocalChange } from "../admin/index.ts";
import { serviceNames, type Config } from "../config/index.ts";
import type { DemoData } from "./service.ts";

/** A user and, where operators have an interface, an operator: `access.json` of a sandbox's data folder has their keys. */
export function demoUser(application: Application): DemoData {
  const { name, interfaces } = application;
  const command = `${serviceNames(application).program} seed`;
  return {
    async addOnce(config, service) {
      const users = usersOf(application, service);
      let isNew = false;
      for (const { realm, noun, userName } of users) {
        const added = await addOnce(config, service, {
          institution: name,
          userName,
          by: { realm, noun, command },
        });
        isNew ||= added;
      }
      return {
        isNew,
        welcome(urls) {
          const addresses = interfaces.flatMap((row) =>
            welcomeLine(config, row, urls.get(row.descriptor.name)),
          );
          if (users.length === 0) return addresses.join("\n");
          const file = writeAddresses(config, users, urls);
          return [...addresses, `${file} has credentials and keys to try it with.`].join("\n");
        },
      };
    },
    usersServed: async (service) => (await usersServed(service, name)).map(({ userName }) => userName),
    async revokeUsers(service) {
      const served = await usersServed(service, name);
      for (const { userName, realm } of served)
        await revokeUser(service, userName, { realm, noun: "user", command });
      return served.map(({ userName }) => userName);
    },
  };
}

/** Where an interface answers, and its page: operators have a console, others what there is to read. */
function welcomeLine({ consolePages, referencePages }: Config, row: AnyRow, url?: string): readonly string[] {
  if (url === undefined) return [];
  const { console, descriptor, isManagedByCommands } = row;
  const address = `Serving ${url}${descriptor.path}`;
  if (consolePages && console !== undefined) return [`${address}, the console: ${url}${console.path}`];
  return [referencePages && isManagedByCommands !== true ? `${address}, to read: ${url}/docs` : address];
}

/** The names are the users' in every sandbox of the application; in production they may be anyone's. */
const names = { user: "demo", operator: "operator" } as const;
const demoEmail = "demo@localhost";

interface SandboxUser {
  readonly noun: keyof typeof names;
  readonly userName: string;
  readonly realm: string;
}

/** A user of the first interface that has users of its own, and an operator of the first for operators. */
function usersOf(application: Application, { pipelines }: Service): readonly SandboxUser[] {
  const operators = new Set(
    application.interfaces.flatMap((row) => (row.isManagedByCommands === true ? [row.descriptor.name] : [])),
  );
  const served = realmsOf(application).filter((realm) => pipelines.has(realm));
  const realms = {
    user: served.find((realm) => !operators.has(realm)),
    operator: served.find((realm) => operators.has(realm)),
  };
  return (["user", "operator"] as const).flatMap((noun) => {
    const realm = realms[noun];
    return realm === undefined ? [] : [{ noun, realm, userName: names[noun] }];
  });
}

interface Added {
  readonly institution: string;
  readonly userName: string;
  readonly by: LocalChange;
}

async function addOnce(
  config: Config,
  service: Service,
  { institution, userName, by }: Added,
): Promise<boolean> {
  const file = fileIn(config);
  const written = readAccess(file);
  const known = await service.store.read((view) => view.one(userByName, userName));
  if (known !== undefined) {
    if (written !== undefined) return false;
    throw new Error(
      `${config.dataDir} has the user ${userName} but no access.json that can be read: put it back, or remove ${config.dataDir} to start over.`,
    );
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const user = {
    userName,
    email: demoEmail,
    institutionId: institution,
    institutionName: institution,
    publicKeyPem,
  };
  const access = await addUser(service, user, by);
  const own = { userName, ...access, privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }) };
  writeAccess(file, { ...written, ...(userName === names.operator ? { operator: own } : own) });
  return true;
}

async function usersServed({ store, clock }: Service, institutionId: string): Promise<readonly UserRecord[]> {
  return store.read(async (view) => {
    const served: UserRecord[] = [];
    for (const userName of Object.values(names)) {
      const user = await view.one(userByName, userName);
      if (user?.institutionId !== institutionId || user.email !== demoEmail) continue;
      if (await hasValidCredential({ store: view, clock }, userName)) served.push(user);
    }
    return served;
  });
}

/** Writes where the service listens into the access file. Gives the file's name. */
function writeAddresses(
  config: Config,
  users: readonly SandboxUser[],
  urls: ReadonlyMap<string, string>,
): string {
  const file = fileIn(config);
  const members = { user: "baseUrl", operator: "operatorUrl" } as const;
  const addresses = users.map(({ noun, realm }) => [members[noun], urls.get(realm) ?? ""] as const);
  writeAccess(file, { ...readAccess(file), ...Object.fromEntries(addresses) });
  return file;
}

/** Undefined where there is no file, or one that is cut. */
function readAccess(file: string): object | undefined {
  try {
    const access: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof access === "object" && access !== null ? access : undefined;
  } catch {
    return undefined;
  }
}

function writeAccess(file: string, content: object): void {
  writeFileSync(`${file}.part`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

function fileIn({ dataDir }: Config): string {
  return join(dataDir, "access.json");
}
