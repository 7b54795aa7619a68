import type { Express } from "express";

/** Where receivers find the service's public keys (RFC 7517; RFC 8615 for the path). */
const keySetPath = "/.well-known/jwks.json";

/** Serves the service's public keys. Receivers may keep them for `maxAgeSeconds`. A key set is printed once. */
export function addKeySetRoute(app: Express, keySet: () => Promise<object>, maxAgeSeconds: number): void {
  let printed: { readonly set: object; readonly body: Buffer } | undefined;
  app.get(keySetPath, async (_request, response) => {
    const set = await keySet();
    if (printed?.set !== set) printed = { set, body: Buffer.from(JSON.stringify(set)) };
    const { body } = printed;
    response.writeHead(200, {
      "Content-Type": "application/jwk-set+json",
      "Content-Length": body.length,
      "Cache-Control": `public, max-age=${maxAgeSeconds}`,
      "Access-Control-Allow-Origin": "*",
    });
    response.end(body);
  });
}
