import { describePartnerRaces } from "./partner-races.ts";
import { openSqliteUnderTest } from "./sqlite-stores.ts";

describePartnerRaces("what a partner may do once, in an SQLite file", openSqliteUnderTest);
