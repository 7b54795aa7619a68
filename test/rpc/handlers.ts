import { RpcError } from "../../runtime/contract/index.ts";
import type { AnyHandler } from "../../runtime/index.ts";

/** What the handlers have been called with. */
export interface Recorded {
  readonly method: string;
  readonly payload: object;
}

/** Handlers of the trial interface. `wait` ends when the test says so. */
export function trialHandlers() {
  const recorded: Recorded[] = [];
  const waiting: (() => void)[] = [];

  function record(method: string, answer: AnyHandler): AnyHandler {
    return (payload, context) => {
      recorded.push({ method, payload });
      return answer(payload, context);
    };
  }

  const handlers: Readonly<Record<string, AnyHandler>> = {
    subtract: record(
      "subtract",
      async (payload) => numberAt(payload, "minuend") - numberAt(payload, "subtrahend"),
    ),
    update: record("update", async () => undefined),
    foobar: record("foobar", async () => undefined),
    sum: record(
      "sum",
      async (payload) => numberAt(payload, "a") + numberAt(payload, "b") + numberAt(payload, "c"),
    ),
    notify_hello: record("notify_hello", async () => undefined),
    get_data: record("get_data", async () => ["hello", 5]),
    positional: record("positional", async (payload) => payload),
    named: record("named", async (payload) => payload),
    create: record("create", async (payload) => payload),
    fail: record("fail", async (payload) => failAs(Reflect.get(payload, "how"))),
    echo: record("echo", async (payload) => payload),
    wait: record("wait", () => new Promise((resolve) => waiting.push(() => resolve("done")))),
  };

  return {
    handlers,
    recorded,
    /** Lets every call of `wait` end that has begun. */
    release(): void {
      for (const end of waiting.splice(0)) end();
    },
    waiting: () => waiting.length,
  };
}

function numberAt(payload: object, name: string): number {
  return Number(Reflect.get(payload, name) ?? 0);
}

function failAs(how: unknown): unknown {
  switch (how) {
    case "declared":
      throw new RpcError("GONE", { data: { task: "t1" }, cause: new Error("the row is gone") });
    case "undeclared":
      throw new RpcError("NEVER_HEARD_OF");
    case "wrong data":
      throw new RpcError("GONE", { data: { task: 1 } });
    case "bigint":
      return { exact: 12345678901234567890n };
    case "circle": {
      const circle: Record<string, unknown> = {};
      circle["self"] = circle;
      return circle;
    }
    default:
      throw new Error("a secret: 12345");
  }
}
