/** The examples that come with the client run as they stand, in a user's empty project, against the real service. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud, type Owner } from "./cloud.ts";
import { InstalledSdk } from "./sdk-package.ts";

const FOLDER = new URL("../../sdk/examples/", import.meta.url);
const KEY = Buffer.from("a secret of this test");
const SECRET = `whsec_${KEY.toString("base64")}`;

let sdk: InstalledSdk;
let cloud: ContractCloud;
let owner: Owner;
let lamp: string;
beforeAll(async () => {
  sdk = InstalledSdk.install();
  cloud = await ContractCloud.start("SQLite");
  owner = await cloud.owner();
  const { environmentId } = owner;
  const services = [{ service: "Switch", properties: [{ property: "on", value: false }] }];
  lamp = (await owner.asServer.devices.create({ environmentId, alias: "lamp", services })).id;
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  sdk[Symbol.dispose]();
});

const sourceOf = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");

/** A running example, and its output line by line. */
function launch(file: string, args: readonly string[] = []) {
  const env = { PORCHLIGHT_API_URL: cloud.url, PORCHLIGHT_TOKEN: owner.userToken, WEBHOOK_SECRET: SECRET, PORT: "0" };
  const program = sdk.launch(file, sourceOf(file), args, env);
  const lines = createInterface({ input: program.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const line = async (): Promise<string | undefined> => (await lines.next()).value;
  return { program, line };
}

/** All that an example prints until it ends by itself. */
async function printed(file: string, args: readonly string[]): Promise<string[]> {
  const { line } = launch(file, args);
  const all: string[] = [];
  for (let next = await line(); next !== undefined; next = await line()) all.push(next);
  return all;
}

test("every-device counts the devices", async () => {
  expect(await printed("every-device.mts", [])).toEqual(["virtual: 1"]);
});

test("set-safely sets, and prints what may be done when it cannot", async () => {
  const { environmentId } = owner;
  const set = (selector: string, value: string) =>
    printed("set-safely.mts", [`${environmentId};lamp`, selector, value]);
  expect(await set("Switch.on", "true")).toEqual(["Switch.on is now true"]);
  expect(await set("Switch.on", "7")).toEqual([expect.stringMatching(/^Property Value Invalid: /)]);
});

test("mirror begins with all values and shows each change, until it is interrupted", async () => {
  const { program, line } = launch("mirror.mts", [owner.environmentId]);
  expect(await line()).toBe("1 values");
  await owner.asServer.devices.set(lamp, "Switch.on", false);
  expect(await line()).toBe(`${lamp} Switch:0.on: true -> false`);
  program.kill("SIGINT");
  expect(await once(program, "exit")).toEqual([0, null]);
});

test("receive-webhooks accepts each signed event once, and refuses others", async () => {
  const { program, line } = launch("receive-webhooks.mts");
  const url = `http://127.0.0.1:${(await line())?.replace("listening on ", "")}`;
  const body = JSON.stringify({ id: "evt_1", type: "device.online", sequence: 1, data: {} });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac("sha256", KEY).update(`evt_1.${timestamp}.${body}`).digest("base64")}`;
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature };
  const send = async (more: Record<string, string>) =>
    (await fetch(url, { method: "POST", body, headers: { ...headers, ...more } })).status;
  expect(await send({})).toBe(204);
  expect(await line()).toBe("device.online evt_1");
  expect(await send({})).toBe(204);
  expect(await send({ "webhook-signature": "v1,AAAA" })).toBe(401);
  // The repeat was silent.
  expect(await line()).toMatch(/^refused: /);
  program.kill();
});

test("each example runs here, and its types are right", () => {
  const files = readdirSync(FOLDER);
  expect(files.sort()).toEqual(["every-device.mts", "mirror.mts", "receive-webhooks.mts", "set-safely.mts"]);
  sdk.checkTypes(Object.fromEntries(files.map((file) => [file, sourceOf(file)])), "node");
});
