/** A hub that pairs, over days of the virtual clock: slow, patient, and through every end of the process. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLOUD_URL, FakePairingCloud, GRANT, pairingOf, testIdentity } from "./cloud.fixture.ts";
import { Pairing, type PairingDeps, PairingFile, type PairingStatus, pairingPath } from "./pairing.ts";

let clock: VirtualClock;
let cloud: FakePairingCloud;
let folder: string;
let granted: string[];
let states: PairingStatus[];
let logged: string[];
const pairings: Pairing[] = [];
beforeEach(() => {
  clock = new VirtualClock();
  cloud = new FakePairingCloud(clock);
  folder = mkdtempSync(join(tmpdir(), "porchlight-pairing-"));
  [granted, states, logged] = [[], [], []];
});
afterEach(async () => {
  for (const pairing of pairings.splice(0)) await pairing[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function start(change: Partial<PairingDeps> = {}): Promise<Pairing> {
  const log: Log = {
    ...silentLog,
    warn: (_f, message) => logged.push(message),
    error: (_f, message) => logged.push(message),
  };
  const pairing = Pairing.start({
    ...{ clock, random: seededRandom(1), log, cloud, agentVersion: "1.2.3", identity: testIdentity(folder) },
    file: new PairingFile(folder, CLOUD_URL),
    granted: ({ token }) => granted.push(token),
    changed: (status) => states.push(status),
    deniedMs: 300_000,
    ...change,
  });
  pairings.push(pairing);
  await clock.advance(0);
  return pairing;
}

const { userCode, verificationUri, verificationUriComplete } = pairingOf(1);
const WAITING = { state: "waiting", userCode, verificationUri, verificationUriComplete };
const setback = (detail: string, retryAfterMs = 0) => ({ kind: "setback", detail, retryAfterMs }) as const;

describe("a hub that pairs", () => {
  test("shows its code, signs every poll, and has its token when it is approved", async () => {
    cloud.answers = [{ kind: "pending" }, { kind: "pending" }, { kind: "approved", grant: GRANT }];
    const pairing = await start();
    expect(pairing.status).toEqual(WAITING);
    expect(logged).toEqual([`this hub is waiting to be paired: enter ${userCode} at ${verificationUri}`]);
    await clock.advance(14_999);
    expect(granted).toEqual([]);
    await clock.advance(1);
    await pairing.ended;
    expect([granted, cloud.polled]).toEqual([[GRANT.token], [5000, 10_000, 15_000]]);
    const { clientId, environmentId } = GRANT;
    expect(states).toEqual([WAITING, { state: "paired", clientId, environmentId }]);
    expect(() => statSync(pairingPath(folder))).toThrow("ENOENT");
  });

  test("polls slower on request of the cloud, and stays slower", async () => {
    cloud.answers = [{ kind: "slow_down", retryAfterMs: 0 }, { kind: "pending" }];
    await start();
    await clock.advance(30_000);
    expect(cloud.polled).toEqual([5000, 15_000, 25_000]);
  });

  test("waits out a cloud that is away, says so once, and loses nothing", async () => {
    cloud.answers = [...Array(4).fill(setback("ECONNREFUSED")), { kind: "approved", grant: GRANT }];
    const pairing = await start();
    await clock.advance(100_000);
    expect(states).toContainEqual({ ...WAITING, problem: "ECONNREFUSED" });
    await clock.advance(100_000);
    await pairing.ended;
    expect([granted, cloud.begun.length]).toEqual([[GRANT.token], 1]);
    expect(logged.filter((line) => line.includes("does not answer"))).toHaveLength(1);
  });

  test("requests a code until it gets one, no sooner than the cloud allows", async () => {
    cloud.setbacks.push(setback("ENOTFOUND"), setback("it answered 429, Rate Limit Exceeded", 60_000));
    const pairing = await start();
    expect(pairing.status).toEqual({ state: "asking", problem: "ENOTFOUND" });
    await clock.advance(70_000);
    expect(pairing.status.state).toBe("waiting");
    const [first = 0, second = 0, third = 0] = cloud.begun;
    expect(second - first).toBeLessThan(2000);
    expect(third - second).toBeGreaterThan(60_000);
  });

  test("shows another code when the first has run out, for ever", async () => {
    cloud.answers = [{ kind: "expired" }, { kind: "pending" }];
    const pairing = await start();
    await clock.advance(8_000);
    expect(pairing.status).toMatchObject({ state: "waiting", userCode: pairingOf(2).userCode });
  });

  test("does not hurry at a cloud that forgets every code at once", async () => {
    cloud.answers = [{ kind: "unknown" }];
    await start();
    await clock.advance(3_600_000);
    expect(cloud.begun.length).toBeLessThan(150);
  });

  test("that was sent away shows another code after a while, and by command not at all", async () => {
    cloud.answers = [{ kind: "denied" }, { kind: "pending" }];
    const pairing = await start();
    await clock.advance(5_000);
    expect(pairing.status).toEqual({ state: "denied" });
    await clock.advance(299_000);
    expect(cloud.begun).toHaveLength(1);
    await clock.advance(1_000);
    expect(pairing.status.state).toBe("waiting");

    cloud.answers = [{ kind: "denied" }];
    const once = await start({ deniedMs: undefined });
    await clock.advance(5_000);
    await once.ended;
    expect(once.status).toEqual({ state: "denied" });
  });
});

describe("a restart in the middle", () => {
  test("continues with the code that a person may be typing", async () => {
    const first = await start();
    expect(statSync(pairingPath(folder)).mode & 0o777).toBe(0o600);
    first.kill();
    const again = await start();
    expect([again.status, cloud.begun.length]).toEqual([WAITING, 1]);
    await clock.advance(5_000);
    expect(cloud.codes).toEqual([pairingOf(1).deviceCode]);
  });

  test("between the cloud's answer and the stored token asks again, and gets another token", async () => {
    cloud.answers = [
      { kind: "approved", grant: GRANT },
      { kind: "approved", grant: { ...GRANT, token: "plt_cli_2" } },
    ];
    let isFull = true;
    const pairing = await start({
      granted: ({ token }) => {
        if (isFull) throw new Error("ENOSPC: no space left on device");
        granted.push(token);
      },
    });
    await clock.advance(5_000);
    expect(pairing.status).toMatchObject({ state: "waiting", problem: expect.stringContaining("ENOSPC") });
    isFull = false;
    await clock.advance(5_000);
    await pairing.ended;
    expect(granted).toEqual(["plt_cli_2"]);
  });

  test("with a disk that takes nothing pairs all the same", async () => {
    const full = () => {
      throw new Error("ENOSPC: no space left on device");
    };
    cloud.answers = [{ kind: "approved", grant: GRANT }];
    const pairing = await start({ file: { read: () => undefined, write: full, remove: full } });
    await clock.advance(5_000);
    await pairing.ended;
    expect(granted).toEqual([GRANT.token]);
  });

  test.each([
    ["damaged", "{"],
    ["of another cloud", JSON.stringify({ cloud: "https://other.example", pairing: pairingOf(1) })],
    [
      "no pairing",
      JSON.stringify({ cloud: CLOUD_URL, pairing: { ...pairingOf(1), deviceCode: "porchlight-tunnel-v1\nx" } }),
    ],
  ])("asks for another code when what was kept is %s", async (_what, text) => {
    writeFileSync(pairingPath(folder), text);
    const pairing = await start();
    expect([pairing.status, cloud.begun.length]).toEqual([WAITING, 1]);
    expect(readFileSync(pairingPath(folder), "utf8")).toContain(CLOUD_URL);
  });
});
