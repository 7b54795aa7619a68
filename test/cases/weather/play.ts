/** Serves the interface and calls every method of it with signed requests; prints what came back, as JSON. */
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { weatherInterface } from "./generated/weather/methods.ts";
import * as schemas from "./generated/weather/schemas.ts";
import { weatherHandlers } from "./handlers/weather/index.ts";
import { createCallers, createPipeline, createVerifier } from "./runtime/pipeline/index.ts";
import { signedEnvelope } from "./runtime/auth/index.ts";
import { idSource, sealer, systemClock } from "./runtime/operations/system/index.ts";
import { addUser } from "./runtime/operations/admin/index.ts";
import { createMemoryStore } from "./runtime/store/memory/index.ts";

const store = createMemoryStore({ tables: [], migrations: [] });
const clock = systemClock;
const ids = idSource(clock);
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const userName = "observer";
const access = await addUser(
  { store, clock, ids },
  {
    institutionId: "network",
    institutionName: "The network",
    userName,
    email: "observer@example.com",
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  },
  { realm: "operator", noun: "observer", command: "play.ts" },
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
    policy: {
      interfaces: ["weather"],
      subscriptionsPerUserMax: 1_000,
      httpCallbacks: true,
    },
  },
  auth: signedEnvelope(),
  callers: createCallers({ store, clock }),
  verifier: createVerifier(),
  log: { error: (fields) => failures.push(fields) },
  eventSource: "weather",
});

const bodies: string[] = [];
const credential = `Basic ${Buffer.from(`${userName}:${access.apiKey}`).toString("base64")}`;

/** A call in the envelope, signed over the bytes of its payload. */
async function call(method: string, payload: object): Promise<unknown> {
  const text = JSON.stringify(payload);
  const api = { credential, keyId: access.keyId, apiKey: access.apiKey, signature: signature(text) };
  const id = randomUUID();
  return await post(
    `{"jsonrpc":"2.0","id":"${id}","method":"${method}","params":{"api":${JSON.stringify(api)},"payload":${text}}}`,
    {},
  );
}

/** A call whose body is its payload, signed by header. */
async function push(payload: object): Promise<unknown> {
  const text = JSON.stringify(payload);
  return await post(text, {
    authorization: credential,
    signature: `keyId=${access.keyId},algorithm=ecdsa-sha256,signature=${signature(text)}`,
  });
}

function signature(text: string): string {
  return sign("sha256", Buffer.from(text), privateKey).toString("base64");
}

async function post(body: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await pipeline.answer({
    body: Buffer.from(body),
    requestId: randomUUID(),
    httpMethod: "POST",
    target: weatherInterface.path,
    header: (name) => [{ "content-type": "application/json", ...headers }[name] ?? []].flat(),
  });
  bodies.push(answer.body);
  const parsed = JSON.parse(answer.body);
  if ("error" in parsed) return { code: parsed.error.code, message: parsed.error.message };
  return parsed.result ?? parsed;
}

const service = (method: string) => (payload: object) => call(`StationService.${method}`, payload);
const addStation = service("AddStation");
const getStation = service("GetStation");
const setStatus = service("SetStatus");
const compareRegions = service("CompareRegions");

const land = { kind: "land", code: "N1", country: "NO", address: "Hill 1", rent: 1200.5 };
const buoy = { kind: "buoy", code: "B1", country: "NO", anchors: 3 };
const reading = { stationCode: "N1", takenAt: "2026-07-01T12:00:00+02:00", celsius: 31.5 };
const results = {
  added: await addStation({ ...land, owned: true }),
  addedAgain: await addStation({ ...land, owned: true }),
  withoutLandlord: await addStation({ ...land, code: "N2", owned: false }),
  withLandlord: await addStation({ ...land, code: "N2", owned: false, landlord: { name: "Ola" } }),
  buoy: await addStation({ ...buoy, position: { latitude: 60, longitude: 4 } }),
  buoyTooFarNorth: await addStation({ ...buoy, code: "B2", position: { latitude: 91, longitude: 4 } }),
  pushed: await push(reading),
  pushedBySpelling: await push({ Station: "N1", takenAt: reading.takenAt, celsius: 30 }),
  pushedToNobody: await push({ ...reading, stationCode: "N9" }),
  read: await getStation({ code: "N1" }),
  readByBoth: await getStation({ code: "N1", position: { latitude: 0, longitude: 0 } }),
  readByNeither: await getStation({}),
  gone: await setStatus({ code: "N1", status: "gone for good" }),
  goneOnNoDay: await setStatus({ code: "N1", status: "PLANNED", from: "20260230" }),
  compared: await compareRegions({
    left: { name: "a", parts: [{ name: "b", parts: [{ name: "c" }] }] },
    right: { name: "d", twin: { name: "e" } },
  }),
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
