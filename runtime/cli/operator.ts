import { readFileSync } from "node:fs";
import { omitUndefined } from "../contract/index.ts";
import { compose, type Service } from "../server/compose.ts";
import { loadConfig } from "../server/config.ts";
import { createOperator, requireFitting, type NewOperator, type OperatorAccess } from "../seed/index.ts";
import { readPublicKey } from "../signing/index.ts";
import { askService, controlSocketOf } from "./control-socket.ts";
import { unreadable } from "./unreadable.ts";
import { createLogger } from "./logger.ts";
import { starting } from "./startup-error.ts";
import { UsageError } from "./usage-error.ts";

interface OperatorOptions {
  readonly institution: string;
  readonly institutionName?: string;
  readonly user: string;
  readonly email: string;
  readonly publicKey: string;
  readonly database?: string;
}

/** `operator`: the first operator of an institution, who cannot be added over the wire. */
export async function addOperator(options: OperatorOptions): Promise<void> {
  const publicKeyPem = readKeyFile(options.publicKey);
  const operator: NewOperator = omitUndefined({
    institutionId: options.institution,
    institutionName: options.institutionName,
    userName: options.user,
    email: options.email,
    publicKeyPem,
  });
  const { apiKey, keyId } =
    (await addedByService(operator, options)) ??
    (await starting(loadConfig(process.env), () => addedHere(operator, options.database)));
  console.log(`userName: ${options.user}\napiKey:   ${apiKey}\nkeyId:    ${keyId}`);
  console.error("The API key is shown this once and not stored. Keep it with the private key.");
}

/** The answer of the service that has the SQLite file; `undefined` where none runs. */
async function addedByService(
  operator: NewOperator,
  { database }: OperatorOptions,
): Promise<OperatorAccess | undefined> {
  const path = controlSocketOf(loadConfig(process.env).database.url);
  if (path === undefined || database !== undefined) return undefined;
  const answer = await askService(path, { operator });
  if (answer === undefined) return undefined;
  return { apiKey: textOf(answer, "apiKey"), keyId: textOf(answer, "keyId") };
}

/** Adds an operator by a store of this process alone, or of several. */
async function addedHere(operator: NewOperator, database: string | undefined): Promise<OperatorAccess> {
  const config = loadConfig(process.env);
  const service = await compose({ config, logger: createLogger(config.logLevel), migrate: false });
  try {
    if (database !== undefined) {
      if (service.place === undefined) {
        throw new Error("--database needs several databases: name the others in LEDGER_DATABASE_OTHERS");
      }
      await service.place(operator.institutionId, database);
    }
    requireFitting(operator);
    return await createOperator(service, operator);
  } finally {
    await service.close();
  }
}

/** Answers the requests of the command `operator`, which come by the service's socket. */
export function answerOperator(service: Service): (request: unknown) => Promise<object> {
  return async (request) => {
    const given: unknown =
      typeof request === "object" && request !== null && "operator" in request ? request.operator : {};
    const operator: NewOperator = omitUndefined({
      institutionId: textOf(given, "institutionId"),
      institutionName: textIn(given, "institutionName"),
      userName: textOf(given, "userName"),
      email: textOf(given, "email"),
      publicKeyPem: textOf(given, "publicKeyPem"),
    });
    if (readPublicKey(operator.publicKeyPem) === undefined) throw new Error("publicKeyPem is no P-256 key");
    requireFitting(operator);
    const access = await createOperator(service, operator);
    service.logger.info(
      { userName: operator.userName, institutionId: operator.institutionId },
      "operator added",
    );
    return access;
  };
}

function textOf(value: unknown, name: string): string {
  const found = textIn(value, name);
  if (found === undefined) throw new Error(`${name} is missing: is the service of another version?`);
  return found;
}

function textIn(value: unknown, name: string): string | undefined {
  const found: unknown =
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  return typeof found === "string" ? found : undefined;
}

/** @throws UsageError that says how the file is made. */
function readKeyFile(file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `${file} ${unreadable(error)}. Make it: openssl pkey -in key.pem -pubout -out ${file}`,
      {
        cause: error,
      },
    );
  }
  if (readPublicKey(pem) === undefined) {
    throw new UsageError(
      `${file} is not one P-256 public key in PEM. Make one: openssl pkey -in key.pem -pubout -out ${file}`,
    );
  }
  return pem;
}
