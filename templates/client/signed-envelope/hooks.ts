import { type Ended, type Make, type Observe, type Observer, observer } from "../observe.ts";
import type { Answer } from "./answer.ts";
import type { AnyErrorCode } from "./errors.ts";
import type { Method } from "./method.ts";

export type { Attempt } from "../observe.ts";

/** Called before and after every attempt of every call. */
export interface Hooks extends Observer<AnyErrorCode> {}

/** How an attempt ended. */
export interface AttemptEnd extends Ended<AnyErrorCode> {}

/** Makes an attempt, with these headers beside its own. */
export type MakeAttempt = Make<Answer>;

/** Has an attempt made, and is there before and after. */
export type Watch = Observe<Method, Answer>;

/** Makes hooks what `connect` takes. */
export const hooks: (given: Hooks) => Watch = observer<AnyErrorCode, Answer>;
