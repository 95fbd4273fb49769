import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemClock, systemRandom, VirtualClock } from "@porchlight/shared/kernel";
import { type KeptFrames, maintenanceAnswer } from "@porchlight/shared/model";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openIdentity } from "../config/identity.ts";
import { type AgentSettings, agentSettings } from "../config/settings.ts";
import { ControlSocket } from "./control-socket.ts";
import { examine } from "./examine.ts";
import { LogFiles } from "./log-files.ts";
import { type MaintainedHub, Maintenance, type MaintenanceDeps, thisMachine } from "./maintenance.ts";
import { STATUS } from "./status.fixture.ts";
import type { AgentStatus } from "./status-schema.ts";

const TOKEN = "a-token-of-another-form";
const LAN_KEY = "00112233445566778899aabbccddeeff";
const MQTT_PASSWORD = "opensesame";
const PIN = "4711";

const journal: MaintainedHub["journal"] = ({ device }) => ({
  isCut: false,
  items: [{ command: device, requested: true }],
});

let folder = "";
let cloud: Server;
let copies = 0;
let restarts = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-maintenance-"));
  [copies, restarts] = [0, 0];
  cloud = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => cloud.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (): AgentSettings =>
  agentSettings.parse({
    cloud: `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`,
    data: folder,
    "lan.keys": [`02-00-00-00-00-99=${LAN_KEY}`],
    drivers: {
      mqtt: { broker: "mqtt://127.0.0.1:1883", user: "porter", password: MQTT_PASSWORD },
      doorbell: { address: "10.0.0.7", pinCode: PIN },
    },
  });

function maintenanceOf(more: Partial<MaintenanceDeps> = {}): Maintenance {
  const backup = async (file: string) => {
    copies += 1;
    writeFileSync(file, "a hub");
  };
  return new Maintenance({
    ...{ clock: systemClock, log: silentLog, settings: settings(), machine: thisMachine(), flushLog: () => undefined },
    hub: { status: () => STATUS, backup, journal },
    restart: { kind: "in_process", check: () => undefined, begin: () => void restarts++ },
    ...more,
  });
}

test("its status is that of the hub, within what the tunnel carries", async () => {
  const clock = new VirtualClock();
  const maintenance = maintenanceOf({ clock });
  await clock.advance(5000);
  const answer = await maintenance.answer({ ask: "status" });
  expect(maintenanceAnswer.parse(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
  expect(answer).toMatchObject({
    status: {
      ...{ version: "0.1.0", uptimeMs: 5000, startedAt: STATUS.startedAt, dataFolder: folder, restart: "in_process" },
      ...{ queue: { records: 3, isFull: false }, disk: { isFull: false }, problems: [] },
    },
  });
});

test("the doctor says through the cloud what it says beside the hub, word by word", async () => {
  openIdentity(join(folder, "identity.key"), { random: systemRandom, hardware: () => undefined });
  const status = { ...STATUS, disk: { ...STATUS.disk, short: true } };
  await using _control = await ControlSocket.start(folder, { status: () => status }, silentLog);
  const beside = [];
  for await (const check of examine(settings(), systemClock)) beside.push(check);
  const hub = { status: () => status, backup: async () => undefined, journal };
  const answer = await maintenanceOf({ hub }).answer({ ask: "doctor" });
  // What is left on the disk may change between the two.
  const steady = (checks: readonly { readonly name: string }[]) => checks.filter(({ name }) => name !== "disk");
  expect(answer).toMatchObject({ doctor: { items: expect.any(Array) } });
  if ("doctor" in answer)
    expect(steady(answer.doctor.items)).toEqual(steady(beside.map((check) => JSON.parse(JSON.stringify(check)))));
  expect(maintenanceAnswer.safeParse(answer).success).toBe(true);
});

test("no secret of the hub is in the log that it sends, wherever a driver has written it", async () => {
  const identity = openIdentity(join(folder, "identity.key"), { random: systemRandom, hardware: () => undefined });
  writeFileSync(join(folder, "token"), `${TOKEN}\n`, { mode: 0o600 });
  using files = new LogFiles(folder, 100_000, systemClock);
  const log = pino({ level: "debug" }, { write: (line: string) => files.write(line) });
  const secrets = [TOKEN, LAN_KEY, MQTT_PASSWORD, PIN, "BCDF-GHJK"];
  for (const secret of secrets) {
    log.info({ detail: `it was ${secret}`, deep: { list: [secret] } }, `somebody said ${secret}`);
    log.warn({ password: secret, failure: new Error(`with ${secret}`).stack }, "and again");
  }
  const pairing = {
    state: "waiting",
    userCode: "BCDF-GHJK",
    verificationUri: "",
    verificationUriComplete: "",
  } as const;
  const hub = { status: () => ({ ...STATUS, pairing }), backup: async () => undefined, journal };
  const maintenance = maintenanceOf({ hub, flushLog: () => files.flush() });
  const answer = await maintenance.answer({ ask: "log", minutes: 5, level: "debug" });
  const answered = JSON.stringify(answer);
  expect(answered).toContain("somebody said [redacted]");
  expect("log" in answer && answer.log.lines).toHaveLength(2 * secrets.length);
  expect(secrets.filter((secret) => answered.includes(secret))).toEqual([]);
  expect(identity.edgeId).not.toBe("");
});

test("what its journal says of a property goes through the tunnel as it is", async () => {
  const target = { device: "02-00-00-00-00-77", service: "Switch", index: "0", property: "on" };
  const answered = { isCut: false, items: [{ command: target.device, requested: true }] };
  const answer = await maintenanceOf().answer({ ask: "journal", ...target });
  expect(maintenanceAnswer.parse(answer)).toEqual({ journal: { ...answered, line: { kind: "off" } } });
  const clock = new VirtualClock();
  const frames = { of: (_of: object, now: number): KeptFrames => ({ kind: "kept", since: now, exchanges: [] }) };
  const line = async (known: AgentStatus["clock"]) => {
    const hub = { status: () => ({ ...STATUS, clock: known }), backup: async () => undefined, journal };
    const answered = await maintenanceOf({ clock, hub, frames }).answer({ ask: "journal", ...target });
    return "journal" in answered ? answered.journal.line : undefined;
  };
  expect(await line({ source: "system", skewMs: 3 })).toMatchObject({ since: clock.now() });
  // A hub whose system is an hour ahead stores by the cloud's time.
  expect(await line({ source: "cloud", skewMs: 3_600_000 })).toMatchObject({ since: clock.now() - 3_600_000 });
});

test("a hub that keeps no log says so", async () => {
  const quiet = { ...settings(), logBytes: 0 };
  expect(await maintenanceOf({ settings: quiet }).answer({ ask: "log", minutes: 5, level: "info" })).toEqual({
    log: { isKept: false, isCut: false, oldestAt: undefined, lines: [] },
  });
});

test("a backup lies on the hub, and who asks while it is made gets the same one", async () => {
  const maintenance = maintenanceOf();
  const [one, two] = await Promise.all([maintenance.answer({ ask: "backup" }), maintenance.answer({ ask: "backup" })]);
  expect([one, copies]).toEqual([two, 1]);
  const { name } = (one as { backup: { name: string } }).backup;
  expect(await maintenance.answer({ ask: "backups" })).toMatchObject({
    backups: { folder: join(folder, "backups"), items: [{ name, bytes: 5 }] },
  });
});

test("a backup that fails is refused with the reason", async () => {
  const backup = async () => Promise.reject(new Error("the disk is broken"));
  const maintenance = maintenanceOf({ hub: { status: () => STATUS, backup, journal } });
  expect(await maintenance.answer({ ask: "backup" })).toEqual({ refused: "the disk is broken" });
});

test("a restart begins after it was answered, and once, however often it was asked for", async () => {
  const clock = new VirtualClock();
  const maintenance = maintenanceOf({ clock });
  await clock.advance(1000);
  expect(await maintenance.answer({ ask: "restart" })).toEqual({ restart: { uptimeMs: 1000 } });
  expect(await maintenance.answer({ ask: "restart" })).toEqual({ restart: { uptimeMs: 1000 } });
  expect(restarts).toBe(0);
  await clock.advance(10_000);
  expect(restarts).toBe(1);
});

test("a restart is refused while the hub would not start again", async () => {
  const clock = new VirtualClock();
  const check = () => {
    throw new Error("cloud: must be an http or https address");
  };
  const maintenance = maintenanceOf({ clock, restart: { kind: "in_process", check, begin: () => void restarts++ } });
  expect(await maintenance.answer({ ask: "restart" })).toEqual({ refused: "cloud: must be an http or https address" });
  await clock.advance(10_000);
  expect(restarts).toBe(0);
});
