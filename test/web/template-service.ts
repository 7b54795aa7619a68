import { join } from "node:path";
import { createProject, linkRuntime } from "../e2e-generator/project.ts";
import { startIn } from "../packages/installed-project.ts";
import { until } from "../until.ts";

/** The service of a team, as `init --template service` writes it, with its operators' interface. */
export interface TemplateService {
  /** Where operators find the console. */
  readonly adminUrl: string;
  /** The file with the demo user and the operator. */
  readonly accessFile: string;
  /** Calls a method of the team's interface as the demo user. */
  call(method: string, payload: object): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export async function startTemplateService(): Promise<TemplateService> {
  const folder = createProject();
  await folder.run(["init", "payments", "--template", "service"]);
  linkRuntime(folder, ["payments"]);
  const root = join(folder.root, "payments");
  const { lines, stop } = await startIn(root, { ADMIN_INTERFACE: "on", ADMIN_PORT: "0" });
  const accessFile = join(root, ".data/access.json");
  const started = lines.find((line) => line.includes('"msg":"started"')) ?? "{}";
  const { adminUrl }: { adminUrl: string } = JSON.parse(started);
  await until(() => folder.read("payments/.data/access.json").includes(adminUrl));
  return {
    adminUrl,
    accessFile,
    async call(method, payload) {
      const words = ["call", method, JSON.stringify(payload), "--access", ".data/access.json"];
      const { exitCode, stdout, stderr } = await folder.run(words, {}, "payments");
      if (exitCode !== 0) throw new Error(`${method}: ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    async close() {
      await stop();
      folder.dispose();
    },
  };
}
