import { join } from "node:path";
import type { Access } from "../seed/index.ts";

/** The last lines of `start`: where the service answers, and commands to paste. */
export function welcomeMessage(dataDir: string, { baseUrl, operatorUrl }: Access): string {
  const file = join(dataDir, "access.json");
  const key = join(dataDir, "demo.pem");
  const elsewhere = dataDir === ".data" ? "" : `LEDGER_DATA_DIR=${dataDir} `;
  return `
The ledger answers on ${baseUrl}/jsonrpc, its operator interface on ${operatorUrl}/jsonrpc.
Credentials, keys and demo identifiers: ${file}   Mails: ${join(dataDir, "mail")}   Stop: Ctrl-C

A signed call, to paste into another terminal:

get() { node -p "JSON.parse(require('fs').readFileSync('${file}', 'utf8')).$1"; }
get privateKeyPem > ${key}
payload="{\\"ID\\":\\"$(get samples.accountId)\\"}"
signature=$(printf %s "$payload" | openssl dgst -sha256 -sign ${key} | openssl base64 -A)
credential="Basic $(printf %s "$(get userName):$(get apiKey)" | openssl base64 -A)"
curl -s ${baseUrl}/jsonrpc -H 'Content-Type: application/json' -d "{\\"method\\":\\"AccountService.GetAccount\\",\\"id\\":\\"1\\",\\"params\\":{\\"api\\":{\\"credential\\":\\"$credential\\",\\"keyId\\":\\"$(get keyId)\\",\\"signature\\":\\"$signature\\"},\\"payload\\":$payload}}"

Then: curl -s ${baseUrl}/healthz · curl -s ${operatorUrl}/metrics · ${elsewhere}npm run ledger-server -- verify
`;
}
