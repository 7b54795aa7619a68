import type { AnyHandler } from "../../runtime/index.ts";
import { RpcError } from "../../runtime/contract/index.ts";

/** What the stays of the hotel are. */
export const stay = {
  begin: {
    from: "2026-01-02",
    to: null,
    guests: [{ givenName: "Ada" }, { company: "Sea Ltd" }],
    floor: -1,
    contact: { phone: "1" },
  },
  begun: {
    from: "2026-01-02",
    to: null,
    id: "0190a6c2-7d1e-7b3a-9c4f-2f6d8e5b1a01",
    begun: "2026-01-02T10:00:00Z",
    paid: [{ kind: "transfer", reference: "R 1", after: "P1D" }],
    code: 7,
    address: null,
  },
  ended: "0190a6c2-7d1e-7b3a-9c4f-2f6d8e5b1a02",
  lost: "0190a6c2-7d1e-7b3a-9c4f-2f6d8e5b1a03",
};

const room = {
  number: "12a",
  stars: 2,
  area: 20.5,
  slope: 0,
  prices: { summer: { cents: 10n ** 20n, currency: "EUR" } },
  parts: [],
  corners: [[0, 1.5]],
};

/** Right bodies for the methods of `test/cases/every-construct`. */
export const hotelHandlers: Readonly<Record<string, AnyHandler>> = {
  "room.list": async () => [room],
  "room.find": async () => null,
  "room.matrix": async (payload) => {
    const rows: unknown = Reflect.get(payload, "rows");
    return Array.isArray(rows)
      ? rows.map((row: unknown) => (Array.isArray(row) ? row.map(() => 1) : []))
      : [];
  },
  "room.größe": async (payload) => Reflect.get(payload, "größe"),
  "room.paint": async () => true,
  "room.audit": async () => ({ rooms: 12 }),
  "stay.begin": async (_payload, context) => {
    const notify: unknown = Reflect.get(context, "notify");
    if (typeof notify === "function") notify("stay/changed", stay.begun);
    return stay.begun;
  },
  "stay.pay": async (payload) => {
    const id: unknown = Reflect.get(payload, "id");
    if (id === stay.ended) throw new RpcError("GONE", { data: { ...stay.begun, id } });
    if (id === stay.lost) throw new RpcError("LOST", { data: { since: "2026-01-01" } });
    return [Reflect.get(payload, "by"), Reflect.get(payload, "sum")];
  },
  "stay.search": async (payload) => ({
    stays: Reflect.get(payload, "page") === 1 ? [] : [stay.begun],
    next: null,
  }),
  "stay.note": async () => null,
  whoami: async () => ({ name: null }),
  touched: async () => undefined,
  ping: async () => "pong",
  "tools/call": async (payload) => Reflect.get(payload, "arguments") ?? null,
};
