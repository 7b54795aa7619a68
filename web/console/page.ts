import type { ContextOf, PageOf } from "../shared/page.ts";
import type { Session } from "./session.ts";

/** What a page of the console is given. */
export type PageContext = ContextOf<Session>;

/** One page of the console. */
export type ConsolePage = PageOf<Session>;
