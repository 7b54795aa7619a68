import { createDesksClient, ServiceError } from "./generated/client/index.ts";

const [, , url = "", desk = ""] = process.argv;
const client = createDesksClient({ url, auth: { user: () => ({ "x-desk": desk }) } });
const said = await client.whoami().catch((error: unknown) => error);
console.log(said instanceof ServiceError ? said.message : said);
