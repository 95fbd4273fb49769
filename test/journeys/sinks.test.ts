/** A home's values in databases that people have: InfluxDB and VictoriaMetrics themselves read what a sink writes (A14). */
import { type Home, TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startInfluxDb, startVictoriaMetrics, type TimeSeriesDatabase } from "../parts/time-series.ts";

/** Each is named so that a careless writer breaks its line. */
const ALIAS = "Anna's lamp, left=old";
const TEXT = 'a "quoted" \\ text\nSwitch,deviceId=forged on=F 1';

let cloud: TestCloud;
let home: Home;
let database: TimeSeriesDatabase;
let device: string;

beforeEach(async () => {
  cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] });
  home = await cloud.home();
  const services = [
    { service: "Temperature" },
    { service: "Switch" },
    {
      service: "Note",
      properties: [{ property: "text", type: "string", access: ["read", "write", "notify"], value: "" }],
    },
  ];
  const made = { environmentId: home.environmentId, alias: ALIAS, services };
  device = (await cloud.good("POST", "/api/devices", asked(made))).id;
});
afterEach(async () => {
  await cloud[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const asked = (body?: object) => ({ token: home.token, ...(body && { body }) });
const path = () => `/api/ecosystems/${home.ecosystemId}/sink`;
const sink = () => cloud.good("GET", path(), asked());
const report = (selector: string, value: unknown) =>
  cloud.good("PUT", `/api/devices/${device}/services/${selector}`, asked({ value, report: true }));

/** Real answers on a clock that is moved. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 20_000; turn++) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await cloud.clock.advance(turn % 20 === 0 ? 1_000 : 0);
    await settle(1);
  }
  throw new Error(`it did not come to that: ${JSON.stringify(await sink())}`);
}
const caughtUp = () => until(async () => ((await sink()).behind === 0 ? true : undefined));

async function happen(): Promise<void> {
  await report("Temperature.celsius", 20.5);
  await report("Temperature.celsius", 21);
  await report("Switch.on", true);
  await report("Note.text", TEXT);
}

describe("InfluxDB", () => {
  beforeEach(async () => {
    database = await startInfluxDb();
    await ask("q=create database home", "POST");
  });

  /** The rows of a measurement, each by the names of its columns. */
  async function rows(measurement: string): Promise<Record<string, unknown>[]> {
    const answer = await ask(`db=home&epoch=ns&q=${encodeURIComponent(`select * from "${measurement}"`)}`, "GET");
    const [series] = answer.results[0].series ?? [];
    return (series?.values ?? []).map((row: unknown[]) =>
      Object.fromEntries(row.map((value, at) => [series.columns[at], value])),
    );
  }

  async function ask(query: string, method: string) {
    const answer = await fetch(`${database.url}/query?${query}`, { method });
    return JSON.parse(await answer.text());
  }

  it("has each value once and in its type, under the names that people gave", async () => {
    await cloud.good("PUT", path(), asked({ url: `${database.url}/write?db=home` }));
    await happen();
    await caughtUp();
    const tags = { device: ALIAS, deviceId: device, environmentId: home.environmentId, index: "0" };
    expect(await rows("Temperature")).toMatchObject([
      { ...tags, celsius: 20.5 },
      { ...tags, celsius: 21 },
    ]);
    expect(await rows("Switch")).toMatchObject([{ ...tags, on: true }]);
    expect(await rows("Note")).toMatchObject([{ ...tags, text: TEXT.replace("\n", " ") }]);
    expect(await sink()).toMatchObject({ refusedLines: 0, lastDelivery: { status: 204 } });
  });

  it("that is killed and started again has all that happened meanwhile", async () => {
    await cloud.good("PUT", path(), asked({ url: `${database.url}/write?db=home` }));
    await report("Temperature.celsius", 1);
    await caughtUp();
    await database.kill();
    await report("Temperature.celsius", 2);
    await until(async () => (await sink()).failingSince);
    await report("Temperature.celsius", 3);
    await database.restart();
    await caughtUp();
    expect((await rows("Temperature")).map(({ celsius }) => celsius)).toEqual([1, 2, 3]);
    expect(await sink()).not.toHaveProperty("failingSince");
  });

  it("that refuses a value for its type is sent the others, and its error is reported", async () => {
    // In the same shard: of another, types may differ.
    const line = `Temperature celsius="warm" ${cloud.clock.now()}000000`;
    await fetch(`${database.url}/write?db=home`, { method: "POST", body: line });
    await cloud.good("PUT", path(), asked({ url: `${database.url}/write?db=home` }));
    await happen();
    await caughtUp();
    expect(await rows("Switch")).toMatchObject([{ on: true }]);
    const state = await sink();
    expect(state.refusedLines).toBeGreaterThan(0);
    expect(state.refusedError).toContain("field type conflict");
  });

  it("without the database of the URL reports that, and has everything once there is one", async () => {
    const url = `${database.url}/write?db=later`;
    await cloud.good("PUT", path(), asked({ url }));
    expect(await cloud.good("POST", `${path()}/test`, asked())).toMatchObject({ taken: false, responseStatus: 404 });
    await happen();
    expect(await until(async () => (await sink()).error)).toContain("database not found");
    await ask("q=create database later", "POST");
    expect(await cloud.good("POST", `${path()}/test`, asked())).toMatchObject({ taken: true });
    await caughtUp();
  });
});

describe("VictoriaMetrics", () => {
  beforeEach(async () => {
    database = await startVictoriaMetrics();
  });

  it("has a series for each number and boolean, and none that a text has forged", async () => {
    await cloud.good("PUT", path(), asked({ url: `${database.url}/write` }));
    await happen();
    await caughtUp();
    const tags = { device: ALIAS, deviceId: device, environmentId: home.environmentId, index: "0" };
    const series = await until(async () => {
      // Written values are searched for once they are in a part of its index.
      await fetch(`${database.url}/internal/force_flush`);
      const found = await fetch(`${database.url}/api/v1/export?match[]={__name__!=""}&start=0`);
      const lines = (await found.text()).split("\n").filter((line) => line !== "");
      return lines.length < 3 ? undefined : lines.map((line) => JSON.parse(line));
    });
    const valuesOf = Object.fromEntries(series.map(({ metric, values }) => [metric.__name__, values]));
    expect(valuesOf).toMatchObject({ Temperature_celsius: [20.5, 21], Switch_on: [1] });
    for (const { metric } of series) expect(metric).toMatchObject(tags);
  });
});
