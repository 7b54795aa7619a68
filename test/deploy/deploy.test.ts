import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { settingsOf } from "../../runtime/operations/config/index.ts";
import { hasProgram } from "./has-program.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);

const root = join(import.meta.dirname, "../..");
const files = globSync("deploy/**/*", { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const textOf = (path: string): string => readFileSync(path.startsWith("/") ? path : join(root, path), "utf8");

describe("deploy/", () => {
  test("holds YAML and JSON that can be read, each key once", () => {
    const yaml = files.filter((file) => file.endsWith(".yaml"));
    expect(yaml.length).toBeGreaterThan(5);
    for (const file of yaml)
      for (const document of parseAllDocuments(textOf(file), { merge: true }))
        expect([...document.errors, ...document.warnings], file).toEqual([]);
    expect(JSON.parse(textOf("deploy/monitoring/dashboard.json")).panels.length).toBeGreaterThan(9);
  });

  test("sets only settings that exist, and all that production needs", () => {
    const known = new Set(settings.map(({ env }) => env));
    // What compose.yaml hands to the proxy.
    for (const name of ["LEDGER_DOMAIN", "LEDGER_UPSTREAMS"]) known.add(name);
    for (const file of files) {
      const named = textOf(file).match(/\bLEDGER_[A-Z_]+\b/g) ?? [];
      expect(
        named.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
    const needed = settings.filter((setting) => setting.needed).map(({ env }) => env);
    for (const place of ["docker/compose.yaml", "kubernetes/ledger.yaml"]) {
      const text = textOf(`deploy/${place}`) + textOf("deploy/docker/Dockerfile");
      expect(
        needed.filter((name) => !text.includes(name)),
        place,
      ).toEqual([]);
    }
    const unit = textOf("deploy/systemd/ledger-server.service");
    expect(needed.filter((name) => !unit.includes(name))).toEqual([]);
  });

  test("has no expression that Prometheus could not read", () => {
    const alerts = parseAllDocuments(textOf("deploy/monitoring/alerts.yaml"))[0]?.toJS();
    const rules: readonly { expr: string }[] = alerts.groups[0].rules;
    const { panels } = JSON.parse(textOf("deploy/monitoring/dashboard.json"));
    const targets: readonly { expr: string }[] = panels.flatMap((panel: { targets: [] }) => panel.targets);
    const expressions = [...rules, ...targets].map(({ expr }) => expr);
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.filter((expression) => !isPromql(expression))).toEqual([]);
    expect(["rate(", "sum by (a (b)", "a{b=}", ""].filter(isPromql)).toEqual([]);
  });

  test("has a Dockerfile that a linter accepts, and none of what an image is better without", () => {
    const text = textOf("deploy/docker/Dockerfile");
    const problems = validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`);
    expect(problems).toEqual([]);
    expect(validate("FROM a AS b\nFRM c\n")).not.toEqual([]);
    const last = text.slice(text.lastIndexOf("\nFROM "));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).not.toMatch(/npm (?:ci|install)|apt-get|ADD /);
  });

  test.runIf(hasProgram("promtool"))("has rules that fire where they should, by promtool", () => {
    for (const args of [
      ["check", "rules", join(root, "deploy/monitoring/alerts.yaml")],
      ["test", "rules", join(root, "test/deploy/alerts.test.yaml")],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
  });

  test("watches only metrics that the service has", () => {
    const sources = globSync("{ledger,runtime}/**/*.ts", { cwd: root }).map(textOf).join("\n");
    const watched = ["alerts.yaml", "dashboard.json"].flatMap(
      (file) => textOf(`deploy/monitoring/${file}`).match(/\bledger_rpc_\w+/g) ?? [],
    );
    const names = new Set(watched.map((name) => name.replace(/_bucket$/, "")));
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !sources.includes(`"${name}"`))).toEqual([]);
  });

  test("names for each alert the section that says what to do", () => {
    const [document] = parseAllDocuments(textOf("deploy/monitoring/alerts.yaml"));
    const { groups } = document?.toJS() ?? {};
    const rules: { alert: string; annotations: { runbook: string } }[] = groups[0].rules;
    const sections = [...textOf("docs/alerts.md").matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name);
    expect(rules.map(({ alert }) => alert)).toEqual(sections);
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      sections.map((name) => `docs/alerts.md#${name.toLowerCase()}`),
    );
  });

  test("copies into the image what the repository has, and mounts what is there", () => {
    for (const [, path = ""] of textOf("deploy/docker/Dockerfile").matchAll(
      /^COPY ([\w.-]+) ([\w.-]+ )?\.\/$/gm,
    ))
      expect(existsSync(join(root, path)), path).toBe(true);
    const mounted = textOf("deploy/docker/compose.yaml").matchAll(/ (\.\.\/[\w./-]+):/g);
    const paths = [...mounted].map(([, path = ""]) => join(root, "deploy/docker", path));
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test.runIf(existsSync("/usr/bin/systemd-analyze"))("has a unit that systemd understands", () => {
    const folder = mkdtempSync(join(tmpdir(), "ledger-unit-"));
    try {
      const unit = join(folder, "ledger-server.service");
      // The commands are where the unit is installed, not here.
      const text = textOf("deploy/systemd/ledger-server.service");
      writeFileSync(unit, text.replaceAll("/opt/ledger/node_modules/node/bin/node", "/bin/true"));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
        encoding: "utf8",
      });
      const complaints = stderr.split("\n").filter((line) => line.includes("ledger-server.service"));
      expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A number among the settings as production has it. */
function productionOf(env: string): number {
  const value = settings.find((setting) => setting.env === env)?.production;
  if (typeof value !== "number") throw new Error(`${env} is no number`);
  return value;
}

/** The numbers that a pattern finds in a file, at least one. */
function numbersIn(file: string, pattern: RegExp): readonly number[] {
  const found = [...textOf(`deploy/${file}`).matchAll(pattern)].map(([, digits]) => Number(digits));
  expect(found.length, `${pattern} in ${file}`).toBeGreaterThan(0);
  return found;
}

describe("deploy/ agrees with the service", () => {
  test("about its port", () => {
    const port = productionOf("PORT");
    for (const [file, pattern] of [
      ["docker/Dockerfile", /^EXPOSE (\d+)$/gm],
      ["docker/Dockerfile", /127\.0\.0\.1:(\d+)/g],
      ["docker/compose.yaml", /ledger-\d:(\d+)/g],
      ["kubernetes/ledger.yaml", /containerPort: (\d+)/g],
      ["kubernetes/ledger.yaml", /prometheus\.io\/port: "(\d+)"/g],
      ["monitoring/prometheus.yaml", /ledger-\d:(\d+)/g],
      ["proxy/Caddyfile", /127\.0\.0\.1:(\d+)/g],
      ["proxy/nginx.conf", /127\.0\.0\.1:(\d+)/g],
    ] as const)
      expect(new Set(numbersIn(file, pattern)), file).toEqual(new Set([port]));
  });

  test("about what it answers on: the interface, its keys, health and metrics", () => {
    const probes = textOf("deploy/kubernetes/ledger.yaml").matchAll(/(\w+)Probe: .*?path: ([\w/]+)/g);
    expect(Object.fromEntries([...probes].map(([, probe, path]) => [probe, path]))).toEqual({
      startup: "/healthz",
      liveness: "/healthz",
      readiness: "/readyz",
    });
    expect(textOf("deploy/docker/Dockerfile")).toContain("/readyz'");
    const caddy = textOf("deploy/proxy/Caddyfile");
    expect(caddy).toContain("health_uri /readyz\n");
    const handled = [...caddy.matchAll(/^\thandle (?:(\S+) )?\{\n\t\t(\w+)/gm)].map(([, path, first]) => [
      path,
      first,
    ]);
    expect(handled).toEqual([
      ["/jsonrpc", "request_body"],
      ["/.well-known/*", "reverse_proxy"],
      [undefined, "respond"],
    ]);
    const nginx = textOf("deploy/proxy/nginx.conf");
    const locations = [...nginx.matchAll(/location (.+) \{([^}]*)\}/g)].map(([, path, text = ""]) => [
      path,
      text.includes("proxy_pass http://ledger;") ? "passed on" : text.trim(),
    ]);
    expect(locations).toEqual([
      ["= /jsonrpc", "passed on"],
      ["/.well-known/", "passed on"],
      ["/", "return 404;"],
    ]);
  });

  test("about its times: a proxy lets go of connections first, and a stop waits for answers", () => {
    const keptSeconds = productionOf("LEDGER_KEEP_ALIVE_TIMEOUT_MS") / 1000;
    for (const [file, pattern] of [
      ["proxy/Caddyfile", /keepalive (\d+)s/g],
      ["proxy/nginx.conf", /keepalive_timeout (\d+)s/g],
    ] as const)
      for (const seconds of numbersIn(file, pattern)) expect(seconds, file).toBeLessThan(keptSeconds);
    const graceSeconds = productionOf("LEDGER_SHUTDOWN_GRACE_MS") / 1000;
    const [pause = 0] = numbersIn("kubernetes/ledger.yaml", /preStop: \{ sleep: \{ seconds: (\d+)/g);
    for (const [file, pattern, least] of [
      ["kubernetes/ledger.yaml", /terminationGracePeriodSeconds: (\d+)/g, graceSeconds + pause],
      ["docker/compose.yaml", /stop_grace_period: (\d+)s/g, graceSeconds],
      ["systemd/ledger-server.service", /^TimeoutStopSec=(\d+)$/gm, graceSeconds],
    ] as const)
      for (const seconds of numbersIn(file, pattern)) expect(seconds, file).toBeGreaterThan(least);
  });

  test("about the largest body", () => {
    const megabytes = numbersIn("proxy/Caddyfile", /max_size (\d+)MB/g);
    expect([...megabytes, ...numbersIn("proxy/nginx.conf", /client_max_body_size (\d+)m;/g)]).toEqual([1, 1]);
  });

  test("about what may be sent twice: nothing that the service may have had", () => {
    const said = (file: string): string => textOf(`deploy/${file}`).replaceAll(/^\s*#.*$/gm, "");
    expect(said("proxy/nginx.conf").match(/proxy_next_upstream[^;]*;/g)).toEqual([
      "proxy_next_upstream error;",
    ]);
    expect(said("proxy/Caddyfile")).not.toContain("lb_retry_match");
  });

  test("runs without privileges, and starts what it says", () => {
    const [, deployment] = parseAllDocuments(textOf("deploy/kubernetes/ledger.yaml")).slice(1);
    const pod = parseAllDocuments(textOf("deploy/kubernetes/ledger.yaml"))[1]?.toJS().spec.template.spec;
    expect(deployment).toBeDefined();
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001 },
    });
    for (const container of [...pod.initContainers, ...pod.containers])
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    expect([...pod.initContainers, ...pod.containers].map(({ args }) => args)).toEqual([
      ["migrate"],
      ["serve"],
    ]);
    const compose = parseAllDocuments(textOf("deploy/docker/compose.yaml"), { merge: true })[0]?.toJS();
    for (const name of ["migrate", "ledger-1", "ledger-2"])
      expect(compose.services[name], name).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    expect(compose.services.migrate.command).toEqual(["migrate"]);
    const unit = textOf("deploy/systemd/ledger-server.service");
    expect(unit).toMatch(/^ExecStartPre=(\S+node --disable-sigusr1 \S+) migrate\nExecStart=\1 serve$/m);
    expect(textOf("deploy/docker/Dockerfile")).toMatch(
      /^ENTRYPOINT \["sh", "-c", "ulimit -c 0 && exec node --disable-sigusr1 /m,
    );
    expect(unit).toMatch(/^LimitCORE=0$/m);
    for (const name of ["migrate", "ledger-1", "ledger-2", "database"])
      expect(compose.services[name].ulimits, name).toEqual({ core: 0 });
    const hardening = [...unit.matchAll(/^(\w+)=(yes|no|strict|0077|)$/gm)].map(([line]) => line);
    expect(hardening.filter((line) => line.endsWith("=no"))).toEqual([]);
    expect(hardening.length).toBeGreaterThan(14);
    for (const line of ["DynamicUser=yes", "CapabilityBoundingSet=", "ProtectSystem=strict", "UMask=0077"])
      expect(hardening).toContain(line);
  });

  test("lets the pods be reached by named namespaces alone, and webhooks reach public addresses alone", () => {
    const documents = parseAllDocuments(textOf("deploy/kubernetes/ledger.yaml")).map((each) => each.toJS());
    const { spec } = documents.find(({ kind }) => kind === "NetworkPolicy");
    const pods = documents.find(({ kind }) => kind === "Deployment").spec.template;
    expect(spec.podSelector.matchLabels).toEqual(pods.metadata.labels);
    expect(spec.policyTypes).toEqual(["Ingress", "Egress"]);
    const ports: readonly { name: string }[] = pods.spec.containers[0].ports;
    for (const { from, ports: open } of spec.ingress) {
      expect(from.length).toBeGreaterThan(0);
      expect(open.map(({ port }: { port: string }) => port)).toEqual(ports.map(({ name }) => name));
    }
    const blocks: readonly { ipBlock: { except: readonly string[] } }[] = spec.egress.at(-1).to;
    const excepted = blocks.flatMap(({ ipBlock }) => ipBlock.except);
    const internal = [
      "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16",
      "::1/128 fc00::/7 fe80::/10",
    ];
    expect(excepted).toEqual(internal.flatMap((line) => line.split(" ")));
  });

  test("speaks to its database over verified TLS, by a certificate that is mounted", () => {
    const [compose] = parseAllDocuments(textOf("deploy/docker/compose.yaml"), { merge: true });
    const { services } = compose?.toJS() ?? {};
    const manifest = textOf("deploy/kubernetes/ledger.yaml");
    for (const [text, mount] of [
      [services.migrate.environment.LEDGER_DATABASE_URL, services.migrate.volumes.join()],
      [manifest, manifest],
    ])
      for (const part of [/\?sslmode=verify-full&sslrootcert=\/etc\/ledger\/database-ca\.pem/, /@/]) {
        expect(text).toMatch(part);
        expect(mount).toMatch(/database-ca\.pem/);
      }
  });

  test.skipIf(process.platform === "win32")(
    "names every image by a variable, and pins each by its digest",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "ledger-pins-"));
      try {
        const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
        writeFileSync(join(folder, "docker"), `#!/bin/sh\necho ${digest}\n`, { mode: 0o755 });
        const { stdout, stderr } = spawnSync("sh", [join(root, "deploy/docker/pin-images.sh")], {
          encoding: "utf8",
          env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
        });
        const text = textOf("deploy/docker/compose.yaml");
        const variables = [...text.matchAll(/(?:image|NODE_IMAGE): "?\$\{([A-Z]+_IMAGE):-([^}]+)\}/g)];
        const pins = variables.map(([, name, image]) => `${name}=${image}@${digest}`).toSorted();
        expect(stdout.trimEnd().split("\n"), stderr).toEqual(pins);
        const images = [...text.matchAll(/^ +image: (.+)$/gm)].map(([, image = ""]) => image);
        expect(images.filter((image) => !image.startsWith("${"))).toEqual(["ledger-server"]);
        const stages = [...textOf("deploy/docker/Dockerfile").matchAll(/^FROM (\S+)/gm)].map(
          ([, from]) => from,
        );
        expect(new Set(stages)).toEqual(new Set(["${NODE_IMAGE}"]));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test("keeps secrets out of the repository, of images and of new projects", () => {
    const secrets = [
      "deploy/docker/.env",
      "deploy/docker/certificates/ca.key",
      "service.env",
      "ledger-server.yaml",
      "client.pem",
      "collections/postman/ledger/ledger.postman_environment.json",
    ];
    const ignored = spawnSync("git", ["check-ignore", "--no-index", ...secrets], {
      cwd: root,
      encoding: "utf8",
    });
    expect(ignored.stdout.trim().split("\n")).toEqual(secrets);
    const kept = ["deploy/docker/example.env", "test/transcripts/keys/ana.pem"];
    const others = spawnSync("git", ["check-ignore", "--no-index", ...kept], { cwd: root, encoding: "utf8" });
    expect(others.stdout).toBe("");
    const patterns = [
      "**/.env",
      "**/service.env",
      "**/*.pem",
      "**/*.key",
      "**/collections",
      "ledger-server.yaml",
    ];
    expect(textOf(".dockerignore").split("\n")).toEqual(expect.arrayContaining(patterns));
    const project = textOf("templates/project/base/gitignore").split("\n");
    expect(project).toEqual(
      expect.arrayContaining([".env", "service.env", "*.pem", "*.key", "collections/"]),
    );
  });

  test("alerts at these bounds: whoever changes one says so here, and in docs/alerts.md", () => {
    const [document] = parseAllDocuments(textOf("deploy/monitoring/alerts.yaml"));
    const rules: readonly { alert: string; expr: string; for?: string; labels: { severity: string } }[] =
      document?.toJS().groups[0].rules;
    const bounds = rules.map(({ alert, expr, for: after = "0s", labels }) => {
      const [, bound = ""] = /([<>=]+ [\d.]+)$/.exec(expr) ?? [];
      return `${alert} ${bound} for ${after}: ${labels.severity}`;
    });
    expect(bounds).toEqual([
      "LedgerDown == 0 for 1m: page",
      "LedgerStoreUnavailable == 1 for 30s: page",
      "LedgerInternalErrors > 0 for 0s: page",
      "LedgerRefusesRequests > 1 for 5m: page",
      "LedgerRefusesConnections > 100 for 0s: ticket",
      "LedgerSlow > 0.5 for 10m: ticket",
      "LedgerSignaturesFail > 1 for 10m: ticket",
      "LedgerSignInsFail > 100 for 0s: ticket",
      "LedgerOutboxLags > 60 for 5m: page",
      "LedgerDeliveriesLate > 3600 for 15m: ticket",
      "LedgerDeadLetters > 0 for 0s: ticket",
      "LedgerUsersAtLimit > 0 for 15m: ticket",
      "LedgerMailsLate > 900 for 5m: page",
      "LedgerMailsFailed > 0 for 0s: ticket",
      "LedgerEventLoopLags > 0.2 for 5m: ticket",
    ]);
  });
});

/** Whether the grammar of Prometheus reads all of it. Grafana's own variable stands for a duration. */
function isPromql(expression: string): boolean {
  const text = expression.replaceAll("$__rate_interval", "5m");
  let isRead = text !== "";
  parser.parse(text).iterate({
    enter: ({ type }) => {
      if (type.isError) isRead = false;
    },
  });
  return isRead;
}
