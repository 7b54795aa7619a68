import { once } from "node:events";
import { createServer } from "node:http";
import { publishedKeys } from "../request/schemes/issuer-keys.ts";
import type { JsonRpcEntry } from "../suite/json-rpc.ts";

/** Publishes the keys with which the suite issues tokens, so that the service under test can accept them. */
export interface Issuer {
  /** Where the keys are: the URL that the service fetches as its JWKS. */
  readonly url: string;
  close(): void;
}

/** Algorithms with public keys that the `jwt` schemes of an interface accept. */
function issuedAlgorithms({ schemes }: JsonRpcEntry): readonly string[] {
  const accepted = schemes.filter(({ kind }) => kind === "jwt").map(({ options }) => options["algorithms"]);
  const names = accepted.flatMap((each) => (Array.isArray(each) ? each : []));
  return [...new Set(names)].filter((name) => typeof name === "string" && !name.startsWith("HS"));
}

/** Serves a JWK set on this machine. Port 0 takes a free one. @throws Error where the port is taken */
export async function openIssuer(port: number, wire: JsonRpcEntry): Promise<Issuer> {
  const keys = JSON.stringify(publishedKeys(issuedAlgorithms(wire)));
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(keys);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${own}/.well-known/jwks.json`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
