/** Activity as a user of the API sees it: commands by outcome, requests by class, incidents, and what is not known. */
import { formatTime, parseTime } from "@porchlight/shared/api";
import { firstIdOf, settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import type { Sql } from "../../../store/index.ts";

type Build = Sql["build"];

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const MINUTE = 60_000;
const now = () => cloud.clock.now();
const time = (ms: number) => encodeURIComponent(formatTime(ms));
const activity = (query = "", token = home.token) => cloud.good("GET", `/api/activity${query}`, { token });
const title = async (query: string) =>
  (await cloud.call("GET", `/api/activity${query}`, { token: home.token })).body.title;
/** Moves the clock, and waits until what was counted until ten seconds before is stored. */
async function pass(ms: number, on = cloud): Promise<void> {
  await on.clock.advance(ms);
  const newest = (build: Build) => build.selectFrom("counting_periods").select((of) => of.fn.max("until").as("until"));
  for (let turn = 0; turn < 5_000; turn++) {
    const [period] = await on.rows(newest);
    if (Number(period?.until ?? 0) > now() - 10_000) return;
    await settle(1);
  }
  throw new Error("nothing was stored");
}
/** Something that is in the log. */
async function happened(type: string, data: object, environmentId: string | null = null): Promise<void> {
  const { ecosystemId } = home;
  const [counter] = await cloud.rows((build) => build.selectFrom("counters").select("sequence"));
  const sequence = Number(counter?.sequence) + 1;
  await cloud.change((build) =>
    build.insertInto("events").values({
      ...{ ecosystem_id: ecosystemId, sequence, id: `${firstIdOf("evt", now()).slice(0, -4)}${1000 + sequence}`, type },
      ...{ environment_id: environmentId, data: JSON.stringify(data), created_at: now(), log_offset: null },
    }),
  );
  await cloud.change((build) =>
    build.updateTable("counters").set({ sequence }).where("ecosystem_id", "=", ecosystemId),
  );
}
async function lamp(): Promise<string> {
  const body = { environmentId: home.environmentId, services: [{ service: "Switch", properties: ["on"] }] };
  return (await cloud.good("POST", "/api/devices", { token: home.token, body })).id;
}
const set = (id: string, value: boolean) =>
  cloud.good("PUT", `/api/devices/${id}/services/Switch.on`, { token: home.token, body: { value } });
let made = 0;
/** A command that ended like that, as another node would have stored it. */
async function command(outcome: string | null, at: number, environment_id = home.environmentId): Promise<void> {
  const id = `${firstIdOf("cmd", at).slice(0, -4)}${String(++made).padStart(4, "0")}`;
  await cloud.change((build) =>
    build.insertInto("commands").values({
      ...{ ecosystem_id: home.ecosystemId, id, environment_id, device_id: "dev_1", client_id: null },
      ...{ service: "Switch", idx: "0", property: "on", value: "true", state: "failed", outcome, error: null },
      ...{
        created_at: at,
        expires_at: at,
        completed_at: null,
        token_id: null,
        deferred: null,
        origin: null,
        hops: null,
        scene_id: null,
        scene_command_id: null,
        confirmed_value: null,
      },
    }),
  );
}
const sum = (items: { commands: Record<string, number> }[]) => {
  const all: Record<string, number> = {};
  for (const { commands } of items)
    for (const [name, count] of Object.entries(commands)) all[name] = (all[name] ?? 0) + count;
  return all;
};

describe("activity", () => {
  it("has the commands of each minute by outcome, and the requests by class with their error rate", async () => {
    const id = await lamp();
    await pass(MINUTE);
    const begin = now() - (now() % MINUTE) + MINUTE;
    await pass(begin - now());
    await set(id, true);
    await set(id, false);
    await cloud.call("GET", "/api/devices/dev_x", { token: home.token });
    await cloud.call("GET", "/api/devices", { token: home.token });
    await pass(2 * MINUTE);
    const { items, range } = await activity(`?since=${time(begin)}&until=${time(begin + 2 * MINUTE)}`);
    expect(range).toEqual({ since: formatTime(begin), until: formatTime(begin + 2 * MINUTE) });
    expect(items[0]).toEqual({
      ...{ since: formatTime(begin), until: formatTime(begin + MINUTE) },
      commands: { confirmed: 2, rejected: 0, not_applied: 0, not_sent: 0, unknown: 0, open: 0 },
      ...{ requests: { status2xx: 3, status3xx: 0, status4xx: 1, status5xx: 0 }, errorRate: 0.25 },
    });
    expect(items[1]).toMatchObject({ commands: { confirmed: 0 }, requests: { status2xx: 0 } });
    expect(items[1]).not.toHaveProperty("errorRate");
  });

  it("counts each outcome, and commands that have not ended as open", async () => {
    const at = now();
    for (const outcome of ["rejected", "not_applied", "not_sent", "unknown", "unknown", null])
      await command(outcome, at);
    const { items } = await activity();
    expect(sum(items)).toEqual({ confirmed: 0, rejected: 1, not_applied: 1, not_sent: 1, unknown: 2, open: 1 });
  });

  it("is of one environment when that is asked for, without requests, which belong to none", async () => {
    const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
    await command("unknown", now());
    await command("rejected", now(), other.id);
    const { items } = await activity(`?environmentId=${other.id}`);
    expect(sum(items)).toMatchObject({ unknown: 0, rejected: 1 });
    expect(items[0]).not.toHaveProperty("requests");
    expect(items[0]).not.toHaveProperty("errorRate");
  });

  it("adds minutes up to longer steps, and comes in pages whose steps meet", async () => {
    const begin = now() - (now() % (10 * MINUTE));
    await pass(25 * MINUTE);
    for (const minute of [1, 4, 7, 12, 21]) await command("unknown", begin + minute * MINUTE);
    const query = `since=${time(begin)}&stepMinutes=10`;
    const whole = await activity(`?${query}`);
    expect(whole.items.map(({ commands }: { commands: { unknown: number } }) => commands.unknown)).toEqual([3, 1, 1]);
    const items = [];
    let token = "";
    let pages = 0;
    do {
      const page = await activity(`?${query}&pageSize=1${token && `&continuationToken=${encodeURIComponent(token)}`}`);
      items.push(...page.items);
      token = page.continuationToken ?? "";
      pages += 1;
    } while (token !== "");
    expect(items).toEqual(whole.items);
    expect(pages).toBe(3);
  });

  it("leaves out what is not known: before the account, in the future, and longer ago than a week", async () => {
    const madeAt = now();
    await pass(3 * MINUTE + 20_000);
    const { items, range } = await activity(
      `?since=${time(madeAt - 30 * 86_400_000)}&until=${time(now() + 86_400_000)}&stepMinutes=1`,
    );
    expect(items[0].since).toBe(formatTime(madeAt - (madeAt % MINUTE)));
    expect(parseTime(range.since)).toBeGreaterThanOrEqual(now() - 7 * 86_400_000);
    expect(items.length).toBeLessThanOrEqual(5);
    expect(items.at(-1).partial).toBe(true);
  });

  it("knows nothing of minutes in which the service was down, though not a command is lost", async () => {
    await pass(10 * MINUTE);
    const down = now();
    await cloud.app.drain();
    await cloud.app[Symbol.asyncDispose]();
    await cloud.clock.advance(20 * MINUTE);
    const again = await cloud.restart();
    await command("unknown", down + 5 * MINUTE + 1);
    await pass(10 * MINUTE, again);
    const since = down - (down % MINUTE) - 2 * MINUTE;
    const { items } = await again.good("GET", `/api/activity?since=${time(since)}`, { token: home.token });
    const known = items.map((step: { since: string; partial?: true }) => [
      ((parseTime(step.since) ?? 0) - since) / MINUTE,
      step.partial ?? false,
    ]);
    expect(known[0]).toEqual([0, false]);
    // One whose command is known, though no node counted requests.
    const alone = items.find(({ commands }: { commands: { unknown: number } }) => commands.unknown === 1);
    expect(alone).toMatchObject({ partial: true });
    expect(alone).not.toHaveProperty("requests");
    const minutes = known.map(([minute]: [number]) => minute);
    expect(minutes.filter((minute: number) => minute > 3 && minute < 21)).toHaveLength(1);
    expect(minutes.filter((minute: number) => minute > 24).length).toBeGreaterThan(5);
    await again.app[Symbol.asyncDispose]();
  });

  it("has the incidents of that time, the newest first, of the environment that is asked for", async () => {
    const { environmentId, ecosystemId } = home;
    for (const type of ["hub.offline", "hub.online", "alert.opened", "device.online"])
      await happened(type, { id: "x" }, environmentId);
    await happened("webhook.disabled", { id: "y" });
    const { incidents } = await activity();
    const seen = (all: { type: string }[]) => all.map(({ type }) => type);
    expect(seen(incidents)).toEqual(["webhook.disabled", "alert.opened", "hub.online", "hub.offline"]);
    expect(incidents[3]).toMatchObject({ environmentId, ecosystemId, data: { id: "x" } });
    expect(seen((await activity(`?environmentId=${environmentId}`)).incidents)).toEqual(seen(incidents).slice(1));
    await pass(5 * MINUTE);
    expect((await activity(`?since=${time(now() - MINUTE)}`)).incidents).toEqual([]);
  });

  it("lists the newest hundred incidents, and counts the others", async () => {
    for (let each = 0; each < 103; each++) await happened("hub.offline", { id: `cli_${each}` });
    const { incidents, moreIncidents } = await activity();
    expect(incidents).toHaveLength(100);
    expect(incidents[0].data.id).toBe("cli_102");
    expect(moreIncidents).toBe(3);
  });

  it("states since when incidents are known when older events are deleted", async () => {
    for (let each = 0; each < 3; each++) {
      await pass(MINUTE);
      await happened("hub.offline", {});
    }
    expect(await activity()).not.toHaveProperty("incidentsSince");
    const [last] = (await activity()).incidents;
    await cloud.change((build) => build.deleteFrom("events").where("sequence", "<", last.sequence));
    expect((await activity()).incidentsSince).toBe(last.createdAt);
  });

  it("refuses what is no time and no step, and a time that ends before it begins", async () => {
    for (const bad of ["since=now", "until=1", "stepMinutes=0", "stepMinutes=1441", "stepMinutes=x", "stepMinutes=1.5"])
      expect(await title(`?${bad}`), bad).toBe("Query Parameter Invalid");
    expect(await title(`?since=${time(now())}&until=${time(now())}`)).toBe("Query Parameter Invalid");
    expect(await title("?order=newest")).toBe("No Query String Allowed");
    expect(await title("?environmentId=env_x")).toBe("Environment Invalid");
  });

  it("counts for a server what its account sees", async () => {
    const server = await cloud.serverToken(home);
    await command("rejected", now());
    expect(sum((await activity("", server)).items)).toMatchObject({ rejected: 1 });
  });
});
