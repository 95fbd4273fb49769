/** The samples as they stand, with a furnished home's own IDs in them: what can succeed does. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../app.fixture.ts";
import { requestOf, samplePath, textsOf } from "./languages.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./operations.ts";
import { SAMPLES } from "./samples.ts";

let cloud: TestCloud;
let operations: readonly Operation[];
beforeAll(async () => {
  cloud = await TestCloud.start();
  operations = operationsOf((await cloud.good("GET", "/api/openapi.json")) as OpenApiDocument);
});
afterAll(() => cloud[Symbol.asyncDispose]());

/** One of everything, under the names that samples have for it. */
async function furnished(home: Home): Promise<Record<string, string>> {
  const { token, ecosystemId, environmentId } = home;
  const made = async (path: string, body?: object): Promise<string> =>
    (await cloud.good("POST", path, { token, body })).id;
  const deviceId = await made("/api/devices", { environmentId, alias: "lamp", services: [{ service: "Switch" }] });
  const set = await cloud.call("PUT", `/api/devices/${deviceId}/services/Switch.on`, { token, body: { value: false } });
  // The account's own user stays as long as the account.
  const userId = await made("/api/users", { key: "user-1" });
  const serverId = await made("/api/servers", { alias: "server" });
  const clientId = await made("/api/clients", { environmentId, alias: "hub" });
  const webhookId = await made("/api/webhooks", { url: "https://receiver.example/hook", events: ["*"] });
  const [login] = (await cloud.good("GET", "/api/account/tokens", { token })).items;
  return {
    ...{ email: home.email, password: home.password, ecosystemId, environmentId, userId, deviceId, serverId },
    ...{ clientId, webhookId, loginId: login.id, token, commandId: set.headers["x-command-id"] ?? "" },
    zoneId: await made("/api/zones", { environmentId, alias: "kitchen", items: [deviceId] }),
    sceneId: await made("/api/scenes", {
      ...{ environmentId, alias: "evening" },
      items: [{ target: deviceId, service: "Switch.on", value: true }],
    }),
    accessId: await made(`/api/users/${userId}/access`, { environmentId }),
    userTokenId: await made(`/api/users/${userId}/tokens`, {}),
    serverTokenId: await made(`/api/servers/${serverId}/tokens`),
    clientTokenId: await made(`/api/clients/${clientId}/tokens`),
    deliveryId: await made(`/api/webhooks/${webhookId}/test`),
    anHourAgo: "2000-01-01 00:00:00Z",
  };
}

/** Sends what the page shows, with the names filled in. */
function send(operation: Operation, names: Readonly<Record<string, string>>) {
  const filled = (text: string) =>
    text.replaceAll(/‹(\w+)›/g, (_, name: string) => {
      const value = names[name];
      if (value === undefined) throw new Error(`${operation.id}: nothing is called ${name}`);
      return value;
    });
  const request = requestOf(operation);
  return cloud.call(request.method as "GET", filled(samplePath(operation, request)).replaceAll(" ", "%20"), {
    token: request.hasToken ? names.token : undefined,
    body: request.body && filled(JSON.stringify(request.body)),
    headers: { ...request.headers, ...(request.body && { "content-type": "application/json" }) },
  });
}

/** Each ends what the others need: it has a home of its own. */
const ENDS = ["deleteAccountToken", "logoutAccount", "deleteAccount"];
/** What is in it goes before it. */
const OUTER = ["deleteUser", "deleteServer", "deleteEnvironment", "deleteEcosystem"];

/** Reads, then changes, then deletions, the inner before the outer. */
function inOrder(all: readonly Operation[]): Operation[] {
  const rank = ({ id, method }: Operation) =>
    method === "GET" ? 0 : method !== "DELETE" ? 1 : OUTER.includes(id) ? 3 + OUTER.indexOf(id) : 2;
  return [...all].sort((one, other) => rank(one) - rank(other) || other.path.length - one.path.length);
}

describe("the samples", () => {
  it("are there for every operation, and for no other", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it("are sent as they stand, and every one that can succeed does", async () => {
    const names = await furnished(await cloud.home());
    const failed: string[] = [];
    for (const operation of inOrder(operations)) {
      if (SAMPLES[operation.id]?.needs !== undefined) continue;
      const own = ENDS.includes(operation.id) ? await furnished(await cloud.home()) : names;
      const { status, text } = await send(operation, own);
      if (status >= 400) failed.push(`${operation.id}: ${status} ${text}`);
    }
    expect(failed).toEqual([]);
  });

  it("state the precondition of each that cannot succeed by itself", () => {
    const needing = Object.entries(SAMPLES).filter(([, { needs }]) => needs !== undefined);
    for (const [id, { needs }] of needing) expect(needs, id).toMatch(/^Needs .+\.$/);
    expect(needing.length).toBeLessThan(operations.length / 4);
  });

  it("are in three languages, with the same IDs and the reader's address in each", () => {
    for (const operation of operations) {
      const texts = textsOf(operation, "https://porch.example");
      const hasCall = SAMPLES[operation.id]?.typescript !== undefined;
      expect(
        texts.map(({ language }) => language),
        operation.id,
      ).toEqual(hasCall ? ["curl", "TypeScript", "Python"] : ["curl", "Python"]);
      const names = (text: string) => [...new Set([...text.matchAll(/‹(\w+)›/g)].map(([, name]) => name))].sort();
      for (const { text, language } of texts) {
        expect(text, `${operation.id} ${language}`).toContain("https://porch.example");
        if (language === "Python") expect(names(text), operation.id).toEqual(names(texts[0]?.text ?? ""));
      }
    }
  });
});
