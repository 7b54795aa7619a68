import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { instanceOf } from "../../conformance/samples/index.ts";
import type { MethodModel, Shape } from "../../generator/model/service-model.ts";
import { runIn, succeedIn } from "../packages/installed-project.ts";
import { modelOf } from "../vectors/models.ts";
import { createProject, repository, type Project } from "./project.ts";

/** The last version of the package that holds the generator itself; quicktype reads schemas. */
const tools = [
  "@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2",
  "quicktype@26.0.0",
  "typescript@5.9.3",
];
const jar = "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar";
const document = join(repository, "generated/ledger/openapi-3.0.json");
/** In 3.1 its schemas are JSON Schema, which quicktype reads. */
const newerDocument = join(repository, "generated/ledger/openapi.json");
/** Where Debian keeps libraries for Go. */
const goLibraries = "/usr/share/gocode";

const model = modelOf("spec/ledger");
const shapes = new Map(model.types.map(({ name, shape }) => [name, shape]));
const reading = {
  direction: "response" as const,
  resolve(shape: Shape) {
    let at: Shape | undefined = shape;
    while (at?.kind === "ref") at = shapes.get(at.type);
    if (at === undefined) throw new Error("a shape refers to a type that the model does not have");
    return at;
  },
  /** All the digits that an amount has at most. */
  given: ({ shape }: { readonly shape: { readonly kind: string } }) =>
    shape.kind === "money" ? 9_999_999_999_999.99 : undefined,
};

const answers = model.methods.flatMap(answersOf);

let project: Project;
let mock: ChildProcess | undefined;
let url = "";
let problem = "";

beforeAll(async () => {
  project = createProject();
  project.write("package.json", '{ "private": true }');
  project.write("bodies.txt", answers.map(({ type, sent }) => `${type}\t${JSON.stringify(sent)}`).join("\n"));
  const install = ["npm", "install", "--prefer-offline", "--no-audit", "--ignore-scripts"];
  const { exitCode, stderr } = await runIn(project.root, [...install, ...tools]);
  if (exitCode !== 0) problem = `the generators cannot be installed here: ${stderr.slice(0, 200)}`;
  const main = join(repository, "generator/cli/main.ts");
  mock = spawn(process.execPath, [main, "mock", "--spec", "ledger", "--port", "0", "--open"], {
    cwd: repository,
  });
  mock.stderr?.resume();
  const [line] = await once(createInterface({ input: mock.stdout ?? process.stdin }), "line");
  [url = ""] = /http:\/\/[^/ ]+/.exec(String(line)) ?? [];
});
afterAll(() => {
  mock?.kill();
  project.dispose();
});

describe("clients in other languages, made of our OpenAPI document by its most used generator", () => {
  test("Java: compiles, calls the service, and decodes what it answers", async (context) => {
    const java = javaProgram("java", context);
    const javac = javaProgram("javac", context);
    const options = ["--library", "native", "-o", "java", "--additional-properties", "openApiNullable=false"];
    await succeedIn(project.root, [java, "-jar", jar, "generate", "-i", document, "-g", "java", ...options]);
    project.write("java/src/main/java/Decode.java", javaText);
    project.write("sources.txt", globSync("java/src/main/java/**/*.java", { cwd: project.root }).join("\n"));
    // The generator has in it what its Java clients import.
    await succeedIn(project.root, [javac, "-nowarn", "-cp", jar, "-d", "classes", "@sources.txt"]);
    const classes = ["classes", jar].join(delimiter);
    expectDecoded(await succeedIn(project.root, [java, "-cp", classes, "Decode", "bodies.txt", url]));
  });

  test("Go: compiles, calls the service, and decodes what it answers", async (context) => {
    const java = javaProgram("java", context);
    const javac = javaProgram("javac", context);
    context.skip(spawnSync("go", ["version"]).status !== 0, "not run: there is no go on the PATH");
    const oauth = join(goLibraries, "src/golang.org/x/oauth2");
    context.skip(!existsSync(oauth), "not run: golang.org/x/oauth2 is not installed");
    project.write("fixed/GoWithModels.java", goGenerator);
    await succeedIn(project.root, [javac, "-cp", jar, "-d", "fixed", "fixed/GoWithModels.java"]);
    const generator = [
      java,
      "-cp",
      ["fixed", jar].join(delimiter),
      "org.openapitools.codegen.OpenAPIGenerator",
    ];
    const options = ["-g", "GoWithModels", "-o", "go/src/ledger"];
    const prefixed = ["--additional-properties", "enumClassPrefix=true"];
    await succeedIn(project.root, [...generator, "generate", "-i", document, ...options, ...prefixed]);
    const types = [...new Set(answers.map(({ type }) => type))];
    project.write("go/src/decode/main.go", goText(types));
    const env = {
      GO111MODULE: "off",
      GOPATH: [join(project.root, "go"), goLibraries].join(delimiter),
      GOCACHE: join(project.root, "cache"),
    };
    await succeedIn(project.root, ["go", "build", "-o", "decode-go", "decode"], env);
    expectDecoded(await succeedIn(project.root, ["./decode-go", "bodies.txt", url]));
  });
});

test("quicktype's types of our schemas compile, and their checks take every answer", async (context) => {
  context.skip(problem !== "", `not run: ${problem}`);
  const { components } = JSON.parse(readFileSync(newerDocument, "utf8"));
  mkdirSync(join(project.root, "quicktype"), { recursive: true });
  const text = JSON.stringify({
    type: "object",
    properties: Object.fromEntries(answers.map(({ type }) => [type, { $ref: `#/definitions/${type}` }])),
    definitions: components.schemas,
  });
  project.write("answers.json", text.replaceAll("#/components/schemas/", "#/definitions/"));
  const quicktype = ["npx", "quicktype", "--src-lang", "schema", "--lang", "typescript", "answers.json"];
  await succeedIn(project.root, [...quicktype, "-o", "quicktype/answers.ts"]);
  const compile =
    "npx tsc --strict --target es2023 --module nodenext --outDir quicktype quicktype/answers.ts";
  await succeedIn(project.root, compile.split(" "));
  cpSync(join(project.root, "bodies.txt"), join(project.root, "quicktype/bodies.txt"));
  project.write(
    "quicktype/decode.js",
    `const { Convert } = require("./answers.js");
const lines = require("node:fs").readFileSync(__dirname + "/bodies.txt", "utf8").split("\\n");
console.log("1 true false");
for (const line of lines) {
  const [type, json] = line.split("\\t");
  const member = type[0].toLowerCase() + type.slice(1);
  const read = Convert.toAnswers('{"' + type + '":' + json + "}");
  console.log(JSON.stringify(JSON.parse(Convert.answersToJson(read))[type]));
}
`,
  );
  // It keeps members that it does not know.
  expectDecoded(await succeedIn(project.root, [process.execPath, "quicktype/decode.js"]), "sent");
});

/** The answer of the service was a result; each body is what it was, less what it has a second time. */
function expectDecoded(printed: string, kept: "decoded" | "sent" = "decoded"): void {
  const [called, ...lines] = printed.trim().split("\n");
  expect(called).toBe("1 true false");
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(answers.map((answer) => answer[kept]));
}

interface Answer {
  readonly type: string;
  readonly sent: object;
  readonly decoded: object;
}

/** The least and the most that a method answers, and an error. */
function answersOf({ names, result, transport }: MethodModel): readonly Answer[] {
  const type = `${names.type}Response`;
  const isFlat = transport.kind === "flat";
  const version = transport.kind === "enveloped" && transport.jsonrpc ? { jsonrpc: "2.0" } : {};
  const bodies = (["minimal", "maximal"] as const).map((fullness) => {
    const value = Object(instanceOf(result, fullness, reading));
    return isFlat ? value : { id: "1", result: value, ...version };
  });
  const error = { code: "BAD_INPUT", message: "ID is invalid or missing", data: { rpcCode: -32_602 } };
  return [...bodies, { id: null, error, jsonrpc: "2.0" }].map((body) => {
    const decoded =
      isFlat && "error" in body && type === "CreateSubscriptionResponse" ? { error, jsonrpc: "2.0" } : body;
    return { type, sent: { ...body, newer: true }, decoded: withoutSecondSpellings(decoded) };
  });
}

/** Both are of the document: `Number` beside `number`, `legalRepId` beside `legalrepId`. */
function withoutSecondSpellings(value: object): object {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      const { Number: number, legalRepId, ...rest } = { Number: undefined, legalRepId: undefined, ...part };
      return {
        ...rest,
        ...("number" in rest ? {} : { Number: number }),
        ...("legalrepId" in rest ? {} : { legalRepId }),
      };
    }),
  );
}

/** A program of a Java toolchain, in JAVA_HOME or on the PATH. */
function javaProgram(name: string, context: { skip(when: boolean, why: string): void }): string {
  context.skip(problem !== "", `not run: ${problem}`);
  const home = process.env["JAVA_HOME"];
  const program = home === undefined ? name : join(home, "bin", name);
  context.skip(spawnSync(program, ["-version"]).status !== 0, `not run: there is no ${program} here`);
  return program;
}

const javaText = `import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.*;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccountServiceApi;
import org.openapitools.client.model.*;

public class Decode {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    URI uri = URI.create(args[1]);
    client.setScheme(uri.getScheme()).setHost(uri.getHost()).setPort(uri.getPort());
    LedgerApi api = new LedgerApi().credential("b").keyId("c").signature("d");
    GetAccountRequestParams params =
        new GetAccountRequestParams().api(api).payload(new GetAccountPayload().ID("A-1"));
    GetAccountResponse answer =
        new AccountServiceApi(client).getAccount(new GetAccountRequest().id("1").params(params), null);
    System.out.println(answer.getId() + " " + (answer.getError() == null) + " " + (answer.getResult() == null));
    ObjectMapper mapper = client.getObjectMapper();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      int tab = line.indexOf('\\t');
      Class<?> type = Class.forName("org.openapitools.client.model." + line.substring(0, tab));
      System.out.println(mapper.writeValueAsString(mapper.readValue(line.substring(tab + 1), type)));
    }
  }
}
`;

/** This version forgets to write what it makes of schemas. */
const goGenerator = `public class GoWithModels extends org.openapitools.codegen.languages.GoClientCodegen {
  public GoWithModels() {
    modelTemplateFiles.put("model.mustache", ".go");
  }
}
`;

function goText(types: readonly string[]): string {
  const made = types.map((type) => `\t\t"${type}": func() interface{} { return new(ledger.${type}) },`);
  return `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	ledger "ledger"
)

func main() {
	configuration := ledger.NewConfiguration()
	configuration.Servers[0].URL = os.Args[2]
	api := ledger.NewAPIClient(configuration).AccountServiceApi
	params := ledger.NewGetAccountRequestParams(*ledger.NewLedgerApi("b", "c", "d"), *ledger.NewGetAccountPayload("A-1"))
	request := *ledger.NewGetAccountRequest("AccountService.GetAccount", "1", *params)
	answer, _, failure := api.GetAccount(context.Background()).GetAccountRequest(request).Execute()
	check(failure)
	fmt.Println(answer.GetId(), !answer.HasError(), !answer.HasResult())
	types := map[string]func() interface{}{
${made.join("\n")}
	}
	text, failure := os.ReadFile(os.Args[1])
	check(failure)
	for _, line := range strings.Split(string(text), "\\n") {
		parts := strings.SplitN(line, "\\t", 2)
		body := types[parts[0]]()
		check(json.Unmarshal([]byte(parts[1]), body))
		encoded, failure := json.Marshal(body)
		check(failure)
		fmt.Println(string(encoded))
	}
}

func check(failure error) {
	if failure != nil {
		panic(failure)
	}
}
`;
}
