import { generateKeyPairSync } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { realmsOf, type Application, type Service } from "../../server/index.ts";
import { userByName } from "../../store/tables/index.ts";
import { addUser, hasValidCredential, revokeUser, type LocalChange } from "../admin/index.ts";
import { serviceNames, type Config } from "../config/index.ts";
import type { DemoData } from "./service.ts";

/** One user, whose key and credential a sandbox writes into `access.json` of its data folder. */
export function demoUser(application: Application): DemoData {
  const { name, interfaces } = application;
  const [realm] = realmsOf(application);
  const change = {
    realm: realm ?? "",
    noun: "user",
    command: `${serviceNames(application).program} seed`,
  };
  return {
    async addOnce(config, service) {
      const isNew = realm !== undefined && (await addOnce(config, service, { name, change }));
      return {
        isNew,
        welcome(urls) {
          const addresses = interfaces.flatMap(({ descriptor: { name: each, path } }) => {
            const url = urls.get(each);
            return url === undefined ? [] : `Serving ${url}${path}, to read: ${url}/docs`;
          });
          if (realm === undefined) return addresses.join("\n");
          const file = writeAddress(config, urls.get(realm) ?? "");
          return [...addresses, `${file} has a credential and a key to try it with.`].join("\n");
        },
      };
    },
    usersServed: (service) => usersServed(service, name),
    async revokeUsers(service) {
      const served = await usersServed(service, name);
      for (const userName of served) await revokeUser(service, userName, change);
      return served;
    },
  };
}

interface Added {
  readonly name: string;
  readonly change: LocalChange;
}

/** The name is the user's in every sandbox of the application; in production it may be anyone's. */
const userName = "demo";
const demoEmail = "demo@localhost";

async function addOnce(config: Config, service: Service, { name, change }: Added): Promise<boolean> {
  const file = fileIn(config);
  const known = await service.store.read((view) => view.one(userByName, userName));
  if (known !== undefined) {
    if (readAccess(file) !== undefined) return false;
    throw new Error(
      `${config.dataDir} has the user ${userName} but no access.json that can be read: put it back, or remove ${config.dataDir} to start over.`,
    );
  }
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const user = { userName, email: demoEmail, institutionId: name, institutionName: name, publicKeyPem };
  const access = await addUser(service, user, change);
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeAccess(file, { userName, ...access, privateKeyPem });
  return true;
}

async function usersServed({ store, clock }: Service, institutionId: string): Promise<readonly string[]> {
  return store.read(async (view) => {
    const user = await view.one(userByName, userName);
    if (user?.institutionId !== institutionId || user.email !== demoEmail) return [];
    return (await hasValidCredential({ store: view, clock }, userName)) ? [userName] : [];
  });
}

/** Writes where the service listens into the access file. Gives the file's name. */
function writeAddress(config: Config, baseUrl: string): string {
  const file = fileIn(config);
  writeAccess(file, { ...readAccess(file), baseUrl });
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
