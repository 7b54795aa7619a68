import { describeStore } from "./contract.ts";
import { openSqliteUnderTest } from "./sqlite-stores.ts";

/** A file is opened for each run, by its readers too. */
const runsShare = 0.1;

/** `sqlite.ci.test.ts` takes the collections through all cases. */
describeStore("the store in an SQLite file", openSqliteUnderTest, { runsShare, isShortOfCollections: true });
