/** From a hub without an owner to a home that works, and away again: real processes, and nothing but the programs' own commands and the API. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { itAtLength } from "../parts/at-length.ts";
import { eventually } from "../parts/eventually.ts";
import type { Program } from "../parts/program.ts";
import { casesOf } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";
import { type HomeDevice, type Owner, UnpairedHome } from "../parts/unpaired-home.ts";

let home: UnpairedHome;
let owner: Owner;
let count = 0;
/** The hub of the test. */
let hub: string;
beforeAll(async () => {
  home = await UnpairedHome.start();
});
afterAll(() => home[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await home.owner();
  hub = `hub-${++count}`;
});
afterEach(() => home.endHubs());

const approve = ({ api, environmentId }: Owner, code: string) =>
  api.good<{ id: string }>("POST", `/api/pairings/${code}/approve`, { environmentId });
const lampOf = (devices: readonly HomeDevice[]) => devices.find(({ edgeId }) => edgeId === LAMP)?.id;
const setHue = ({ api }: Owner, lamp: string | undefined, value: number) =>
  api.call<{ value?: unknown }>("PUT", `/api/devices/${lamp}/services/LightColor.hue`, { value });
const tokensOf = async ({ api }: Owner, client: string) =>
  (await api.good<{ items: { id: string }[] }>("GET", `/api/clients/${client}/tokens`)).items;
const tokenPath = () => join(home.folder, hub, "token");
const status = async () => JSON.parse(await home.agent(hub, "status", "--json").line((line) => line));

/** Runs a new hub and lets it in. */
async function paired() {
  const agent = home.run(hub);
  const { code, fingerprint } = await home.loggedCode(agent);
  const client = await approve(owner, code);
  return { agent, fingerprint, client: client.id, lamp: lampOf(await home.online(owner, client.id)) };
}

/** Every byte of every file of a folder. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

/** A hub has to be offline for a minute before another one may take its devices over: its last minute is made one minute longer. */
async function aMinutePasses(client: string): Promise<void> {
  const db = new Sqlite(join(home.folder, "cloud", "cloud.db"), { timeout: 60_000 });
  const moveBack = db.prepare("update clients set online_since = online_since - 60000 where id = ? and online = 0");
  await eventually("the hub is offline in the log", async () => moveBack.run(client).changes === 1);
  db.close();
}

describe("a fresh hub", () => {
  it("shows a code in its log, is approved by it, and sets a lamp without a restart", async () => {
    const agent = home.run(hub);
    const { code, link, edgeId, fingerprint } = await home.loggedCode(agent);
    expect(link).toBe(`${home.url}/pair?code=${code}`);
    expect(await status()).toMatchObject({ paired: false, pairing: { state: "waiting", userCode: code } });
    expect(await owner.api.good("GET", `/api/pairings/${code}`)).toMatchObject({ edgeId, fingerprint });

    const client = await approve(owner, code);
    const lamp = lampOf(await home.online(owner, client.id));
    expect(await setHue(owner, lamp, 120)).toMatchObject({ status: 200, body: { value: 120 } });
    expect(statSync(tokenPath()).mode & 0o777).toBe(0o600);
    expect(agent.stderr).not.toContain("plt_cli_");
  });

  it("that is killed while it waits goes on asking under the same code, also when that was approved meanwhile", async () => {
    const first = home.run(hub);
    const { code } = await home.loggedCode(first);
    await first.kill();
    const second = home.run(hub);
    expect((await home.loggedCode(second)).code).toBe(code);
    await second.kill();
    const client = await approve(owner, code);
    home.run(hub);
    await home.online(owner, client.id);
  });

  it("keeps its own half of the code to itself: it is not in its log, its status, or the output of the command that shows the other half", async () => {
    const settings = join(home.folder, `${hub}.yaml`);
    writeFileSync(settings, "logLevel: debug\n");
    const agent = home.run(hub, "--config", settings);
    const { code } = await home.loggedCode(agent);
    const kept = JSON.parse(readFileSync(join(home.folder, hub, "pairing.json"), "utf8"));
    expect(kept.pairing).toMatchObject({ userCode: code, deviceCode: expect.stringMatching(/^.{16,}$/) });
    expect(statSync(join(home.folder, hub, "pairing.json")).mode & 0o777).toBe(0o600);
    const command = home.agent(hub, "pair");
    await command.line((line) => (line === `code: ${code}` ? true : undefined));
    await approve(owner, code);
    await command.ended;
    const logs = everythingIn(join(home.folder, hub, "log"));
    expect(logs).toContain(code);
    const texts = [agent.stderr, command.stderr, JSON.stringify(await status()), logs];
    expect(texts.filter((text) => text.includes(kept.pairing.deviceCode))).toEqual([]);
  });

  it("is paired by command beside a running agent, under that agent's code", async () => {
    const agent = home.run(hub);
    const { code } = await home.loggedCode(agent);
    const command = home.agent(hub, "pair");
    expect(await command.line((line) => /^code: (\S+)$/.exec(line)?.[1])).toBe(code);
    const client = await approve(owner, code);
    expect(await command.line((line) => /^paired: client (\S+)/.exec(line)?.[1])).toBe(client.id);
    expect((await command.ended).code).toBe(0);
    await home.online(owner, client.id);

    const again = home.agent(hub, "pair");
    expect((await again.ended).code).toBe(5);
    expect(again.stderr).toContain("already paired");
  });

  itAtLength("is paired by command before its first start, and sent away with exit status 4", async () => {
    const pair = () => home.agent(hub, "pair", "--cloud", home.url);
    const codeOf = (command: Program) => command.line((line) => /^code: (\S+)$/.exec(line)?.[1]);
    const denied = pair();
    await owner.api.good("POST", `/api/pairings/${await codeOf(denied)}/deny`);
    expect((await denied.ended).code).toBe(4);

    const command = pair();
    const client = await approve(owner, await codeOf(command));
    expect((await command.ended).code).toBe(0);
    home.run(hub);
    await home.online(owner, client.id);
  });
});

describe("a paired hub", () => {
  it("takes up another token while it runs, and the old one can be revoked then", async () => {
    const { agent, client, lamp } = await paired();
    const [old] = await tokensOf(owner, client);
    const made = await owner.api.good<{ token: string }>("POST", `/api/clients/${client}/tokens`);
    writeFileSync(tokenPath(), made.token);
    agent.signal("SIGHUP");
    await eventually("it is back", async () => (await status()).tunnel.welcomes === 2);
    await owner.api.good("DELETE", `/api/clients/${client}/tokens/${old?.id}`);
    await home.online(owner, client);
    expect(await setHue(owner, lamp, 10)).toMatchObject({ status: 200 });
    expect((await status()).tunnel).toMatchObject({ state: "online", welcomes: 2 });
  });

  it.each(casesOf(["while it runs"], ["while it does not"]))(
    "that is unpaired %s leaves nothing of its owner behind",
    async (when) => {
      const { agent, client, fingerprint } = await paired();
      const token = readFileSync(tokenPath(), "utf8").trim();
      if (when === "while it does not") await agent.stop();
      const command = home.agent(hub, "unpair", "--cloud", home.url);
      expect(await command.ended).toMatchObject({ code: 0 });
      expect(command.stderr).toBe("");
      expect(await tokensOf(owner, client)).toEqual([]);
      expect(await owner.api.good("GET", `/api/clients/${client}`)).toMatchObject({ id: client });
      const left = everythingIn(join(home.folder, hub));
      for (const word of [token, client, owner.environmentId, "cmd_", "dev_"]) expect(left).not.toContain(word);

      const now = when === "while it runs" ? agent : home.run(hub);
      const next = await home.owner();
      const code = await eventually("it shows another code", async () => {
        const logged = await home.loggedCode(now);
        return logged.fingerprint === fingerprint ? logged.code : undefined;
      });
      const other = await approve(next, code);
      expect(other.id).not.toBe(client);
      await home.online(next, other.id);
    },
  );
});

describe("a broken hub", () => {
  it("is replaced by a new one: devices, aliases and zones are those that they were", async () => {
    const { agent, client, lamp } = await paired();
    await owner.api.good("PUT", `/api/devices/${lamp}`, { alias: "reading lamp" });
    const { environmentId } = owner;
    const zone = await owner.api.good<{ id: string }>("POST", "/api/zones", { environmentId, items: [lamp] });
    await agent.kill();
    await aMinutePasses(client);

    const fresh = home.run(`${hub}-new`);
    const { id } = await approve(owner, (await home.loggedCode(fresh)).code);
    expect(id).not.toBe(client);
    const devices = await home.online(owner, id);
    await owner.api.good("DELETE", `/api/clients/${client}`);

    expect(devices.find((device) => device.id === lamp)).toMatchObject({ alias: "reading lamp", clientId: id });
    expect(await home.online(owner, id)).toHaveLength(devices.length);
    expect(await owner.api.good("GET", `/api/zones/${zone.id}`)).toMatchObject({ items: [lamp] });
    expect(await setHue(owner, `${environmentId};reading%20lamp`, 77)).toMatchObject({ status: 200 });
  });
});
