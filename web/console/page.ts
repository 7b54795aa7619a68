import type { ContextOf, PageOf } from "../shared/page.ts";
import type { Session } from "./session.ts";

/** The context of a page of the console. */
export type PageContext = ContextOf<Session>;

/** One page of the console. */
export type ConsolePage = PageOf<Session>;
