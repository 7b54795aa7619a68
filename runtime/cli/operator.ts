import { readFileSync } from "node:fs";
import { compose } from "../server/compose.ts";
import { loadConfig } from "../server/config.ts";
import { createOperator } from "../seed/index.ts";
import { readPublicKey } from "../signing/index.ts";
import { unreadable } from "./unreadable.ts";
import { createLogger } from "./logger.ts";

interface OperatorOptions {
  readonly institution: string;
  readonly institutionName: string;
  readonly user: string;
  readonly email: string;
  readonly publicKey: string;
  readonly database?: string;
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} ${unreadable(error)}. Make it: openssl pkey -in key.pem -pubout -out ${file}`, {
      cause: error,
    });
  }
}

/** `operator`: the first operator of an institution, whom nobody can add over the wire. */
export async function addOperator(options: OperatorOptions): Promise<void> {
  const publicKeyPem = readKeyFile(options.publicKey);
  if (readPublicKey(publicKeyPem) === undefined) {
    throw new Error(
      `${options.publicKey} is not one P-256 public key in PEM. Make one: openssl pkey -in key.pem -pubout`,
    );
  }
  const config = loadConfig(process.env);
  const service = await compose({ config, logger: createLogger(config.logLevel), migrate: false });
  try {
    if (options.database !== undefined) {
      if (service.place === undefined) {
        throw new Error("--database needs several databases: name the others in LEDGER_DATABASE_OTHERS");
      }
      await service.place(options.institution, options.database);
    }
    const { apiKey, keyId } = await createOperator(service, {
      institutionId: options.institution,
      institutionName: options.institutionName,
      userName: options.user,
      email: options.email,
      publicKeyPem,
    });
    console.log(`userName: ${options.user}\napiKey:   ${apiKey}\nkeyId:    ${keyId}`);
    console.error("The API key is shown this once and not stored. Keep it with the private key.");
  } finally {
    await service.close();
  }
}
