import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";
import { emailTo } from "../mail/emails.fixture.ts";
import { TABLES } from "../store/table-names.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const erase = (options: { body?: unknown; headers?: Record<string, string>; token?: string }) =>
  cloud.call("DELETE", "/api/account", { token: home.token, ...options });

/** Every table that has a row in which one of the words stands. */
async function tracesOf(words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of TABLES) {
    const rows = await cloud.rows((build) => build.selectFrom(table).selectAll());
    for (const word of words)
      if (rows.some((row) => JSON.stringify(row).toLowerCase().includes(word))) found.push(`${table}: ${word}`);
  }
  return found;
}

/** Everything that an account can have, and the words by which any of it would be known again. */
async function furnished(): Promise<string[]> {
  const { token, environmentId } = home;
  const post = (path: string, body: object) => cloud.good("POST", path, { token, body });
  await cloud.good("PUT", "/api/account", { token, body: { currentPassword: home.password, name: "Petra Muster" } });
  const second = await post("/api/ecosystems", { alias: "second-one", meta: { owner: "petra" } });
  const ecosystemId = home.ecosystemId;
  const user = await post("/api/users", { ecosystemId, key: "petra-key", alias: "petra-alias" });
  await post(`/api/users/${user.id}/access`, { environmentId });
  await post(`/api/users/${user.id}/tokens`, {});
  const server = await post("/api/servers", { ecosystemId, alias: "petra-server" });
  const client = await post("/api/clients", { environmentId, alias: "petra-hub" });
  await post(`/api/clients/${client.id}/tokens`, {});
  const zone = await post("/api/zones", { environmentId, alias: "petra-zone", meta: { note: "petra" } });
  await post("/api/accounts/password-reset", { email: home.email });
  await cloud.call("POST", "/api/accounts/login", { body: { email: home.email, password: "wrong" } });
  await cloud.good("PUT", "/api/account/alerts", { token, body: { email: true } });
  const about = {
    kind: "hub_offline",
    subject_id: client.id,
    subject_name: "petra-hub",
    environment_id: environmentId,
  };
  const times = { since: 0, opened_at: 0, ended_at: null };
  const alert = { ...about, ...times, text: "petra-hub is offline", end_text: null, mail: "opened", told: 0 };
  await cloud.change((build) =>
    build.insertInto("alerts").values({ ecosystem_id: ecosystemId, id: "alt_1", ...alert }),
  );
  await emailTo(cloud.folder, home.email, 2);
  const ids = [
    home.id,
    home.ecosystemId,
    environmentId,
    home.userId,
    second.id,
    user.id,
    server.id,
    client.id,
    zone.id,
  ];
  return [...ids, home.email, "petra", "second-one"].map((word) => word.toLowerCase());
}

/** Lets time pass, a minute and a half of it at the least, and work be done. @throws what is left after much of both */
async function untilNoTraceOf(on: TestCloud, words: readonly string[]): Promise<void> {
  let left: string[] = [];
  for (let round = 0; round < 50; round++) {
    await on.clock.advance(31_000);
    await settle(100);
    left = await tracesOf(words);
    if (left.length === 0 && round >= 3) return;
  }
  throw new Error(`there is still ${left.join(", ")}`);
}

describe("erasing an account", () => {
  it.each([
    [{}, 400, "Body Parameters Missing"],
    [{ body: {} }, 400, "Body Parameters Missing"],
    [{ body: { currentPassword: "wrong" } }, 403, "Password Incorrect"],
    [{ headers: { "x-current-password": "wrong" } }, 403, "Password Incorrect"],
  ])("is refused with %j: %i %s", async (options, status, title) => {
    expect((await erase(options)).body).toMatchObject({ status, title });
    await cloud.good("GET", "/api/account", { token: home.token });
  });

  it("ends every token at once, and the address can sign up again", async () => {
    const serverToken = await cloud.serverToken(home);
    const userToken = await cloud.userToken(home);
    for (const token of [serverToken, userToken]) await cloud.good("GET", "/api/devices", { token });
    expect(await erase({ headers: { "x-current-password": home.password } })).toMatchObject({ status: 200, text: "" });
    for (const token of [home.token, serverToken, userToken])
      expect((await cloud.call("GET", "/api/token", { token })).body).toMatchObject({ title: "Token Invalid" });
    const { email, password } = home;
    expect((await cloud.call("POST", "/api/accounts/login", { body: { email, password } })).body.title).toBe(
      "Login Failed",
    );
    const again = await cloud.good("POST", "/api/accounts", { body: { email, password } });
    expect(again.id).not.toBe(home.id);
    await cloud.good("POST", "/api/accounts/login", { body: { email, password } });
  });

  it("leaves nothing of it in any table, nor among the files, and nothing of others is touched", async () => {
    const words = await furnished();
    const neighbour = await cloud.home();
    await emailTo(cloud.folder, neighbour.email);
    await settle(100);
    const neighbours = await tracesOf([neighbour.id, neighbour.ecosystemId, neighbour.email]);
    expect((await tracesOf(words)).length).toBeGreaterThan(20);
    expect((await erase({ body: { currentPassword: home.password } })).status).toBe(200);
    await untilNoTraceOf(cloud, words);
    const mail = join(cloud.folder, "mail");
    for (const name of readdirSync(mail)) {
      const text = `${name}${readFileSync(join(mail, name), "utf8")}`.toLowerCase();
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    }
    // More may have come meanwhile: its history.
    const left = await tracesOf([neighbour.id, neighbour.ecosystemId, neighbour.email]);
    expect(left).toEqual(expect.arrayContaining(neighbours));
    await cloud.good("GET", "/api/account", { token: neighbour.token });
  });

  it("goes on after the process has died in the middle", async () => {
    const words = await furnished();
    // As after a death between the job that asks for it and the first step.
    const rows = await cloud.rows((build) => build.selectFrom("ecosystems").select("id"));
    const ecosystem_ids = JSON.stringify(rows.map(({ id }) => id));
    await cloud.change((build) => build.deleteFrom("accounts").where("id", "=", home.id));
    const row = { account_id: home.id, ecosystem_ids, requested_at: cloud.clock.now() };
    await cloud.change((build) => build.insertInto("erasures").values(row));
    await cloud.app.kill();
    const next = await cloud.restart();
    await untilNoTraceOf(next, words);
    await next.app[Symbol.asyncDispose]();
  });
});
