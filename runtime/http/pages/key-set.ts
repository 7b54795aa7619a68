import type { Express } from "express";

/** Where receivers find the service's public keys (RFC 7517; RFC 8615 for the path). */
const keySetPath = "/.well-known/jwks.json";

/** Serves the service's public keys. Receivers may keep them for `maxAgeSeconds`. */
export function addKeySetRoute(app: Express, keySet: () => Promise<object>, maxAgeSeconds: number): void {
  app.get(keySetPath, async (_request, response) => {
    const body = JSON.stringify(await keySet());
    response.writeHead(200, {
      "Content-Type": "application/jwk-set+json",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": `public, max-age=${maxAgeSeconds}`,
      "Access-Control-Allow-Origin": "*",
    });
    response.end(body);
  });
}
