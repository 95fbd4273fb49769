/** The examples on the client's page run as they stand, against the real service, and their types are right. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud, type Owner } from "./cloud.ts";
import { InstalledSdk } from "./sdk-package.ts";

const page = readFileSync(new URL("../../sdk/README.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```ts( no-run)?\n(.*?)```/gs)].map(([, noRun, code = ""]) => ({
  runs: !noRun,
  code,
}));

let sdk: InstalledSdk;
let cloud: ContractCloud;
let owner: Owner;
beforeAll(async () => {
  sdk = InstalledSdk.install();
  cloud = await ContractCloud.start("SQLite");
  owner = await cloud.owner();
  const { environmentId } = owner;
  const services = [{ service: "LightColor" }];
  await owner.asServer.devices.create({ environmentId, alias: "lamp", meta: { room: "Küche" }, services });
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  sdk[Symbol.dispose]();
});

/** All examples as one program: imports first, everything else in the page's order. */
function program(codes: readonly string[]): string {
  const lines = codes.join("\n").split("\n");
  const imported = new Set(
    lines
      .filter((line) => line.startsWith("import "))
      .flatMap((line) => line.match(/\{ (.*) \}/)?.[1]?.split(", ") ?? []),
  );
  const rest = lines.filter((line) => !line.startsWith("import ")).join("\n");
  return `import { ${[...imported].join(", ")} } from "@porchlight/sdk";
const { environmentId, baseUrl, token } = JSON.parse(globalThis.facts) as Record<"environmentId" | "baseUrl" | "token", string>;
declare global { var facts: string; }
${rest.replace('"https://porchlight.example"', "baseUrl").replace('"plt_usr_…"', "token")}`;
}

test("every example that can run does", async () => {
  expect(examples.filter(({ runs }) => runs).length).toBeGreaterThanOrEqual(5);
  const source = program(examples.filter(({ runs }) => runs).map(({ code }) => code));
  const facts = { environmentId: owner.environmentId, baseUrl: cloud.url, token: owner.userToken };
  const printed = await sdk.start(
    "readme.mts",
    `globalThis.facts = ${JSON.stringify(JSON.stringify(facts))};\n${source}`,
  );
  expect(printed.split("\n")).toEqual([
    "lamp",
    "120",
    "1 read, 0 not",
    expect.stringMatching(/^Device Not Found undefined /),
    "",
  ]);
  expect((await owner.asUser.environments.get(owner.environmentId)).meta).toEqual({ floors: 2 });
});

test("the types of all examples are right", () => {
  const webhook = "declare const request: { headers: Headers };\ndeclare const rawBody: string;\n";
  const all = program(examples.map(({ code }) => code).filter((code) => !code.includes("const event =")));
  const delivery = examples.map(({ code }) => code).filter((code) => code.includes("const event ="));
  sdk.checkTypes({ "readme.mts": all, "webhook.mts": webhook + delivery.join("\n") });
});
