import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import express, { Router, type Express } from "express";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { rpc } from "../../runtime/operations/http/index.ts";
import { openBank, signedCall, type Bank } from "./handlers-bank.ts";
import { answering, call, dial } from "./http-harness.ts";

/** The endpoint in Express apps that are not ours. */
let bank: Bank;
const servers: Server[] = [];
beforeAll(async () => {
  bank = await openBank();
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listening(app: Express): Promise<number> {
  const server = createServer(app).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

async function send(port: number, path: string, body = "", method = "POST"): Promise<Received> {
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const sent = request({ host: "127.0.0.1", port, path, method, headers }).end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const part of response) text += part;
  return { status: response.statusCode, headers: response.headers, body: text };
}

const signed = () => signedCall("AccountService.ListAccounts", { PageNumber: 1 }, "teller").body;

/** An app with a life of its own: a header for all, an API with a body parser, a page, an error handler. */
function foreignApp(mount: (app: Express) => void): Express {
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader("X-Foreign", "yes");
    next();
  });
  app.use("/api", express.json(), (incoming, response) => void response.json({ got: incoming.body }));
  mount(app);
  app.get("/", (_request, response) => void response.send("home"));
  return app;
}

describe("rpc(pipeline) in a foreign Express app", () => {
  const mounts: Readonly<Record<string, (app: Express) => void>> = {
    "app.post": (app) => void app.post("/jsonrpc", rpc(bank.ledgerPipeline)),
    "app.use": (app) => void app.use("/jsonrpc", rpc(bank.ledgerPipeline)),
    "a router": (app) => void app.use("/", Router().post("/jsonrpc", rpc(bank.ledgerPipeline))),
  };
  for (const [name, mount] of Object.entries(mounts))
    test(`answers a signed call, mounted by ${name}`, async () => {
      const port = await listening(foreignApp(mount));
      const answered = await send(port, "/jsonrpc", signed());
      expect(answered.status).toBe(200);
      expect(JSON.parse(answered.body)).toHaveProperty("result");
      expect(answered.headers).toMatchObject({
        "x-foreign": "yes",
        "x-interface-revision": bank.ledgerPipeline.revision,
      });
      expect((await send(port, "/api", '{"a":1}')).body).toBe('{"got":{"a":1}}');
      expect((await send(port, "/", "", "GET")).body).toBe("home");
    });

  test("gives the signature check the whole target, whatever the mount strips", async () => {
    const targets: string[] = [];
    const pipeline: typeof answering = {
      ...answering,
      answer: (raw) => {
        targets.push(raw.target);
        return answering.answer(raw);
      },
    };
    const port = await listening(foreignApp((app) => app.use("/bank/v1", rpc(pipeline))));
    await send(port, "/bank/v1?a=b", "{}");
    await send(port, "/bank/v1/", "{}");
    expect(targets).toEqual(["/bank/v1?a=b", "/bank/v1/"]);
  });

  test("passes paths below its mount on, and refuses other methods", async () => {
    const port = await listening(foreignApp((app) => app.use("/jsonrpc", rpc(bank.ledgerPipeline))));
    expect((await send(port, "/jsonrpc/other", signed())).status).toBe(404);
    const got = await send(port, "/jsonrpc", "", "GET");
    expect([got.status, got.headers["allow"]]).toEqual([405, "POST"]);
  });

  test("answers 500 with the reason where a body parser was first", async () => {
    const lines: string[] = [];
    const note = (_fields: object, message: string): void => void lines.push(message);
    const logger = { info: () => {}, warn: () => {}, error: note };
    const port = await listening(
      foreignApp((app) => app.use(express.json(), rpc(bank.ledgerPipeline, { logger }))),
    );
    const answered = await send(port, "/", signed());
    expect(answered.status).toBe(500);
    expect(JSON.parse(answered.body).error.data.reason).toBe("body-already-read");
    expect(lines).toEqual([expect.stringContaining("before body parsers")]);
    expect((await send(port, "/", "")).status).toBe(500);
  });

  test("answers 500 where something before it still reads the body", async () => {
    const port = await listening(
      foreignApp((app) => {
        app.use((incoming, _response, next) => {
          incoming.on("data", () => {});
          next();
        });
        app.post("/jsonrpc", rpc(bank.ledgerPipeline));
      }),
    );
    const { socket, until, received } = await dial(port);
    socket.write(call("{}").replace("/rpc", "/jsonrpc"));
    await until("body-already-read");
    expect(received()).toMatch(/^HTTP\/1\.1 500 /);
    socket.destroy();
  });
});
