import { runProgram, placeOf, type DemoData } from "../../runtime/operations/cli/index.ts";
import { application, servesPartners, withoutApprovals } from "../application.ts";
import { operatorRealm } from "../handlers/services/realms.ts";
import {
  requireFitting,
  demoUsersServed,
  isSeeded,
  readAccess,
  revokeDemoUsers,
  seedDemo,
  writeAccess,
  type Access,
} from "../seed/index.ts";
import { addOperatorCommands } from "./operate/index.ts";
import { join } from "node:path";
import type { Config } from "../../runtime/operations/config/index.ts";
import { omitUndefined } from "../../runtime/contract/index.ts";
import type { Service } from "../../runtime/server/index.ts";

/** The command `ledger-server`. */
export function run(argv: readonly string[]): Promise<void> {
  return runProgram(
    {
      application,
      description:
        "The banking ledger service of ledger-rpc: signed JSON-RPC over HTTP, on SQLite or PostgreSQL.",
      demo,
      managed: {
        command: "operator",
        noun: "operator",
        realms: [operatorRealm],
        check: requireFitting,
        listText: async (operators) =>
          (await import("./operate/output.ts")).resultText(operators, undefined, process.stdout.columns),
      },
      addCalls(program, words) {
        program.commandsGroup("The operator's work, over the port of a service that runs:");
        return addOperatorCommands(program, words);
      },
    },
    argv,
  );
}

/** The demo bank, and `access.json` with all that its users need. */
const demo: DemoData = {
  async addOnce(config, service) {
    const { access, isNew } = await accessOf(config, service);
    return { isNew, welcome: (urls) => welcomed(config, access, urls) };
  },
  usersServed: demoUsersServed,
  revokeUsers: revokeDemoUsers,
};

interface SeededAccess {
  readonly access: Access;
  readonly isNew: boolean;
}

/** The access file of an earlier start, or new demo data where the database was removed since. */
async function accessOf(config: Config, service: Service): Promise<SeededAccess> {
  const { dataDir } = config;
  const known = readAccess(dataDir);
  const seeded = await isSeeded(service);
  if (known !== undefined && seeded) return { access: known, isNew: false };
  if (seeded) {
    const [holder, remedy] = config.database.isInDataDir
      ? [`${dataDir} holds demo data but`, `remove ${dataDir}`]
      : [`${placeOf(config)} holds demo data but ${dataDir} has`, "take an empty database"];
    throw new Error(
      `${holder} no access.json: that was removed, or adding the data was interrupted. Nothing else has its keys. ` +
        `Put the file back, or ${remedy} to start over with new demo data.`,
    );
  }
  const access = await withoutApprovals(config, () => seedDemo(service));
  writeAccess(dataDir, access);
  return { access, isNew: true };
}

/** Writes where the service listens into the access file. */
function welcomed(config: Config, seeded: Access, urls: ReadonlyMap<string, string>): string {
  const { messageSignatures: _formerly, ...known } = seeded;
  const access = {
    ...known,
    baseUrl: urls.get("ledger") ?? "",
    operatorUrl: urls.get("operator") ?? "",
    ...omitUndefined({ messageSignatures: config.replay === "strict" ? true : undefined }),
  };
  writeAccess(config.dataDir, access);
  return welcomeMessage(config, access);
}

/** The last lines of `start`: where the service answers, its pages, and a call to paste. */
function welcomeMessage(config: Config, { baseUrl, operatorUrl }: Access): string {
  const { dataDir } = config;
  const file = join(dataDir, "access.json");
  const key = join(dataDir, "demo.pem");
  return `
The ledger answers on ${baseUrl}/jsonrpc, its operator interface on ${operatorUrl}/jsonrpc.
Credentials, keys and demo identifiers: ${file}   Mails: ${join(dataDir, "mail")}   Stop: Ctrl-C
${pages(config, baseUrl, operatorUrl)}
A signed call, to paste into another terminal:

get() { node -p "JSON.parse(require('fs').readFileSync('${file}', 'utf8')).$1"; }
get privateKeyPem > ${key}
payload="{\\"ID\\":\\"$(get samples.accountId)\\"}"
signature=$(printf %s "$payload" | openssl dgst -sha256 -sign ${key} | openssl base64 -A)
credential="Basic $(printf %s "$(get userName):$(get apiKey)" | openssl base64 -A)"
body="{\\"method\\":\\"AccountService.GetAccount\\",\\"id\\":\\"1\\",\\"params\\":{\\"api\\":{\\"credential\\":\\"$credential\\",\\"keyId\\":\\"$(get keyId)\\",\\"signature\\":\\"$signature\\"},\\"payload\\":$payload}}"
${config.replay === "strict" ? strictCall(baseUrl, key) : `curl -s ${baseUrl}/jsonrpc -H 'Content-Type: application/json' -d "$body"`}

Then: curl -s ${baseUrl}/healthz · curl -s ${operatorUrl}/metrics
`;
}

/** The call with a signature of its message (RFC 9421), good for one use within a minute. */
function strictCall(baseUrl: string, key: string): string {
  return `digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"
input="(\\"@method\\" \\"@path\\" \\"content-digest\\");created=$(date +%s);expires=$(($(date +%s) + 60));keyid=\\"$(get keyId)\\";nonce=\\"$(openssl rand -hex 16)\\""
sealed=$(printf '"@method": POST\\n"@path": /jsonrpc\\n"content-digest": %s\\n"@signature-params": %s' "$digest" "$input" |
  node -p "crypto.sign('sha256', fs.readFileSync(0), { key: fs.readFileSync('${key}'), dsaEncoding: 'ieee-p1363' }).toString('base64')")
curl -s ${baseUrl}/jsonrpc -H 'Content-Type: application/json' -H "Content-Digest: $digest" \\
  -H "Signature-Input: sig1=$input" -H "Signature: sig1=:$sealed:" -d "$body"`;
}

/** A line for each page that is served. */
function pages(config: Config, baseUrl: string, operatorUrl: string): string {
  const { referencePages, consolePages } = config;
  const lines = [
    referencePages ? `To read, and to try by hand: ${baseUrl}/docs` : undefined,
    consolePages ? `The operator's console: ${operatorUrl}/console` : undefined,
    consolePages && servesPartners(config) ? `The partner's page: ${baseUrl}/partner` : undefined,
  ];
  return lines.map((line) => (line === undefined ? "" : `${line}\n`)).join("");
}
