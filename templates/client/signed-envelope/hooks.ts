import { type Hooks, type Make, type Observe, observer } from "../observe.ts";
import type { Answer } from "./answer.ts";
import type { Method } from "./method.ts";

/** Makes an attempt, with these headers beside its own. */
export type MakeAttempt = Make<Answer>;

/** Has an attempt made, and is there before and after. */
export type Watch = Observe<Method, Answer>;

/** Makes hooks what `connect` takes. */
export const hooks: (given: Hooks) => Watch = observer<Answer>;
