/** Serves the interface and calls every method of it through its client; prints what came back, as JSON. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createWeatherClient, RpcCallError } from "./generated/weather/client/index.ts";
import { weatherInterface } from "./generated/weather/methods.ts";
import * as schemas from "./generated/weather/schemas.ts";
import { weatherHandlers } from "./handlers/weather/index.ts";
import { shareAtRisk } from "./runtime/domain/index.ts";
import { createCallerDirectory, createPipeline } from "./runtime/pipeline/index.ts";
import { createOperator } from "./runtime/seed/index.ts";
import { createVerifier } from "./runtime/signing/index.ts";
import { createMemoryStore } from "./runtime/storage/memory/index.ts";
import { idSource, sealer, systemClock } from "./runtime/system/index.ts";

const store = createMemoryStore();
const clock = systemClock;
const ids = idSource(clock);
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const userName = "observer";
const access = await createOperator(
  { store, clock, ids },
  {
    institutionId: "network",
    institutionName: "The network",
    userName,
    email: "observer@example.com",
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  },
);
const failures: unknown[] = [];
const pipeline = createPipeline({
  interfaceDescriptor: weatherInterface,
  handlers: weatherHandlers,
  realm: "operator",
  ports: {
    store,
    clock,
    ids,
    sealer: sealer(Buffer.alloc(32, 1)),
    riskScorer: shareAtRisk,
    policy: { closedIsFinal: false, httpCallbacks: true },
    renderMail: ({ to }) => ({ to, subject: "", text: "", attachments: [] }),
  },
  callers: createCallerDirectory({ store }),
  verifier: createVerifier(),
  log: { error: (fields) => failures.push(fields) },
  eventSource: "weather",
});

const bodies: string[] = [];
const client = createWeatherClient({
  baseUrl: "http://weather.test",
  userName,
  ...access,
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  async fetch(input, init) {
    const headers = new Headers(init?.headers);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const answer = await pipeline.answer({
      body: Buffer.from(await new Response(init?.body ?? null).arrayBuffer()),
      requestId: randomUUID(),
      httpMethod: init?.method ?? "GET",
      target: pathname,
      header: (name) => headers.get(name) ?? undefined,
    });
    bodies.push(answer.body);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  },
});

async function outcome(call: Promise<object>): Promise<object> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof RpcCallError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const { stationService } = client;
const land = { kind: "land", code: "N1", country: "NO", address: "Hill 1", rent: 1200.5 } as const;
const results = {
  added: await outcome(stationService.addStation({ ...land, owned: true })),
  addedAgain: await outcome(stationService.addStation({ ...land, owned: true })),
  withoutLandlord: await outcome(stationService.addStation({ ...land, code: "N2", owned: false })),
  withLandlord: await outcome(
    stationService.addStation({ ...land, code: "N2", owned: false, landlord: { name: "Ola" } }),
  ),
  buoy: await outcome(
    stationService.addStation({
      kind: "buoy",
      code: "B1",
      country: "NO",
      position: { latitude: 60, longitude: 4 },
      anchors: 3,
    }),
  ),
  buoyTooFarNorth: await outcome(
    stationService.addStation({
      kind: "buoy",
      code: "B2",
      country: "NO",
      position: { latitude: 91, longitude: 4 },
      anchors: 3,
    }),
  ),
  pushed: await outcome(
    client.pushReading({ stationCode: "N1", takenAt: "2026-07-01T12:00:00+02:00", celsius: 31.5 }),
  ),
  pushedToNobody: await outcome(
    client.pushReading({ stationCode: "N9", takenAt: "2026-07-01T12:00:00Z", celsius: 0 }),
  ),
  read: await outcome(stationService.getStation({ code: "N1" })),
  readByBoth: await outcome(
    stationService.getStation({ code: "N1", position: { latitude: 0, longitude: 0 } }),
  ),
  readByNeither: await outcome(stationService.getStation({})),
  gone: await outcome(stationService.setStatus({ code: "N1", status: "gone for good" })),
  goneLater: await outcome(stationService.setStatus({ code: "N1", status: "PLANNED", from: "20260230" })),
  compared: await outcome(
    stationService.compareRegions({
      left: { name: "a", parts: [{ name: "b", parts: [{ name: "c" }] }] },
      right: { name: "d", twin: { name: "e" } },
    }),
  ),
};
const fits = {
  zodTakesStation: schemas.Station.safeParse(results.added).success,
  zodRefusesDeepMistake: !schemas.CompareRegionsPayload.safeParse({
    left: { name: "a", parts: [{ name: 1 }] },
    right: { name: "b" },
  }).success,
  rentAsSent: bodies[0]?.includes('"rent":1200.5') === true,
  bothSpellings: bodies[0]?.includes('"Code":"N1"') === true,
};
console.log(JSON.stringify({ results, fits, failures }, undefined, 2));
await store.close();
