import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { buffer } from "node:stream/consumers";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

/** Serves a folder, and the service's endpoint on the same origin. */
export async function servePage(folder: string, baseUrl: string) {
  const server = createServer(async (request, response) => {
    const { url = "/", method = "GET" } = request;
    if (method === "POST") {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(baseUrl + url, { method, headers, body: await buffer(request) });
      response.writeHead(answer.status, headers).end(await answer.text());
      return;
    }
    const file = join(folder, url === "/" ? "index.html" : url);
    if (!existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": types[extname(file)] ?? "" }).end(readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://localhost:${port}/`, stop: () => server.close() };
}
