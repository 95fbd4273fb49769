/** The examples on the client's page run as they stand, against the real service, and their types are right. */
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud, type Owner } from "./cloud.ts";
import { InstalledSdk } from "./sdk-package.ts";

const page = readFileSync(new URL("../../sdk/README.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
const SECRET = `whsec_${Buffer.from("a secret of this test").toString("base64")}`;

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
declare global { var facts: string; }
const { environmentId, baseUrl, token, secret, rawBody, headers } = JSON.parse(globalThis.facts) as Record<
  "environmentId" | "baseUrl" | "token" | "secret" | "rawBody", string> & { headers: Record<string, string> };
const request = { headers };
${rest.replace('"https://porchlight.example"', "baseUrl").replace('"plt_usr_…"', "token").replace('"whsec_…"', "secret")}`;
}

/** A delivery of the service, as the receiver of the example gets it. */
function delivery() {
  const rawBody = JSON.stringify({ id: "evt_1", type: "device.online", sequence: 1, data: {} });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from("a secret of this test");
  const signature = `v1,${createHmac("sha256", key).update(`evt_1.${timestamp}.${rawBody}`).digest("base64")}`;
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
  return { rawBody, headers, secret: SECRET };
}

test("the page begins with the installation of the file that is made", () => {
  const [, install = ""] = /^# .*\n\n```sh\n(.*?)```/s.exec(page) ?? [];
  expect(install).toContain("npm run package:sdk && npm pack ./sdk/dist ");
  const made = readdirSync(sdk.folder).filter((file) => file.endsWith(".tgz"));
  expect(install).toContain(`/${made} `);
});

test("every example runs", async () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  expect(page).not.toMatch(/```ts ./);
  const source = program(examples);
  const facts = { environmentId: owner.environmentId, baseUrl: cloud.url, token: owner.userToken, ...delivery() };
  const printed = await sdk.start(
    "readme.mts",
    `globalThis.facts = ${JSON.stringify(JSON.stringify(facts))};\n${source}`,
  );
  expect(printed.split("\n")).toEqual([
    "lamp",
    "120",
    "1 read, 0 not",
    expect.stringMatching(/^Device Not Found undefined /),
    "40",
    "device.online",
    "",
  ]);
  expect((await owner.asUser.environments.get(owner.environmentId)).meta).toEqual({ "$.name": "Home", floors: 2 });
});

test("the types of all examples are right", () => {
  sdk.checkTypes({ "readme.mts": program(examples) });
});
