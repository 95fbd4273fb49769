/** A hub between having no owner and having one, over days of the virtual clock. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Agent } from "./agent.ts";
import { tokenFile } from "./config/identity.ts";
import { FakePairingCloud, GRANT, pairingOf } from "./pairing/cloud.fixture.ts";
import { PairingFile } from "./pairing/index.ts";
import { CLOUD, FakeCloud, TOKEN } from "./uplink/cloud.fixture.ts";
import { DialRefused } from "./uplink/dial.ts";

const HOUR = 3_600_000;
const DENIED = [{ kind: "denied" }, { kind: "pending" }] as const;
let clock: VirtualClock;
let cloud: FakeCloud;
let pairings: FakePairingCloud;
let folder: string;
let warnings: string[];
const agents: Agent[] = [];
beforeEach(() => {
  clock = new VirtualClock();
  cloud = new FakeCloud(clock);
  pairings = new FakePairingCloud(clock);
  folder = mkdtempSync(join(tmpdir(), "porchlight-membership-"));
  warnings = [];
});
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.kill();
  await clock.advance(0);
  rmSync(folder, { recursive: true });
});

/** @param patienceMs how long a token may be refused; a day when left out */
async function start(patienceMs?: number): Promise<Agent> {
  const log: Log = { ...silentLog, warn: (_f, message) => warnings.push(message) };
  const agent = await Agent.start({
    ...{ clock, random: seededRandom(1), log, dataDir: folder, cloudUrl: CLOUD, dial: cloud.dial },
    tokens: tokenFile({ data: folder }),
    pairing: pairings,
    drivers: () => [],
    settings: { membership: patienceMs === undefined ? {} : { patienceMs } },
  });
  agents.push(agent);
  await clock.advance(0);
  return agent;
}

const putToken = (token: string) => writeFileSync(join(folder, "token"), token);
const approved = { kind: "approved", grant: { ...GRANT, token: TOKEN } } as const;
const pair = (agent: Agent, again = false) => agent.answers().pair?.({ again });
const stands = (agent: Agent) => {
  const { paired, pairing, tunnel } = agent.status();
  return { paired, pairing: pairing?.state, tunnel: tunnel.state };
};
/** The cloud refuses every attempt. */
function refuse(status = 401): void {
  cloud.refusals.push(...Array.from({ length: 5000 }, () => new DialRefused(status)));
}

describe("a hub without a token", () => {
  test("shows a code, and is online as soon as it is approved", async () => {
    const agent = await start();
    expect(stands(agent)).toEqual({ paired: false, pairing: "waiting", tunnel: "unpaired" });
    await clock.advance(2 * HOUR);
    expect(cloud.dials).toEqual([]);
    pairings.answers = [approved];
    await clock.advance(10_000);
    expect(stands(agent)).toEqual({ paired: true, pairing: "paired", tunnel: "online" });
    expect(tokenFile({ data: folder }).read()).toBe(TOKEN);
  });

  test("takes one that is put into its folder by hand, and asks no more", async () => {
    const agent = await start();
    putToken(TOKEN);
    await clock.advance(10_000);
    expect(stands(agent)).toEqual({ paired: true, pairing: undefined, tunnel: "online" });
    const { length } = pairings.polled;
    await clock.advance(HOUR);
    expect(pairings.polled).toHaveLength(length);
  });

  test("that was sent away shows another code at once when it is asked to", async () => {
    pairings.answers = [...DENIED];
    const agent = await start();
    await clock.advance(5_000);
    expect(stands(agent).pairing).toBe("denied");
    await pair(agent);
    await clock.advance(0);
    expect(agent.status().pairing).toMatchObject({ state: "waiting", userCode: pairingOf(2).userCode });
  });
});

describe("a hub whose token is refused", () => {
  test("tries it slowly for a day, and shows a code then while it goes on trying", async () => {
    putToken(TOKEN);
    refuse();
    const agent = await start();
    await clock.advance(24 * HOUR - 1000);
    expect(stands(agent)).toEqual({ paired: true, pairing: undefined, tunnel: "waiting" });
    expect(cloud.dials).toHaveLength(288);
    await clock.advance(1000);
    expect(stands(agent).pairing).toBe("waiting");
    await clock.advance(HOUR);
    expect(cloud.dials.length).toBeGreaterThan(296);
    pairings.answers = [{ kind: "approved", grant: { ...GRANT, token: "plt_cli_new" } }];
    await clock.advance(5_000);
    expect(tokenFile({ data: folder }).read()).toBe("plt_cli_new");
  });

  test("shows a code after a day of refusals over all its lives, however often it is restarted", async () => {
    putToken(TOKEN);
    refuse();
    for (let life = 0; life < 3; life += 1) {
      const agent = await start();
      await clock.advance(7 * HOUR);
      expect(stands(agent).pairing).toBeUndefined();
      agent.kill();
      // How long it was off is unknown.
      await clock.advance(40 * HOUR);
    }
    const agent = await start();
    // What came after the last attempt of each life is not counted.
    await clock.advance(3 * HOUR - 1000);
    expect(stands(agent).pairing).toBeUndefined();
    await clock.advance(HOUR / 2);
    expect(stands(agent).pairing).toBe("waiting");
    agent.kill();
    const again = await start();
    await clock.advance(HOUR / 2);
    expect(stands(again).pairing).toBe("waiting");
  });

  test("is patient anew with another token", async () => {
    putToken("plt_cli_old");
    const agent = await start(HOUR);
    await clock.advance(HOUR / 2);
    putToken("plt_cli_older");
    await clock.advance(HOUR - 1000);
    expect(stands(agent).pairing).toBeUndefined();
    await clock.advance(20_000);
    expect(stands(agent).pairing).toBe("waiting");
  });

  test("is patient anew each time that it was let in", async () => {
    putToken(TOKEN);
    cloud.refusals.push(...Array.from({ length: 6 }, () => new DialRefused(401)));
    const agent = await start(HOUR);
    await clock.advance(HOUR / 2);
    expect(stands(agent).tunnel).toBe("online");
    refuse();
    await cloud.close("token_revoked");
    await clock.advance(HOUR - 1000);
    expect(stands(agent).pairing).toBeUndefined();
    await clock.advance(1000);
    expect(stands(agent).pairing).toBe("waiting");
  });

  test("and is accepted after all asks no more to be paired", async () => {
    putToken(TOKEN);
    refuse(403);
    const agent = await start(HOUR);
    await clock.advance(HOUR);
    expect(stands(agent).pairing).toBe("waiting");
    cloud.refusals.length = 0;
    await clock.advance(HOUR);
    expect(stands(agent)).toEqual({ paired: true, pairing: undefined, tunnel: "online" });
  });

  test("does not show a code when only an update would help", async () => {
    putToken(TOKEN);
    cloud.answers.hello = () => {
      void cloud.close("version_unsupported");
      return new Promise(() => undefined);
    };
    const agent = await start(HOUR);
    await clock.advance(3 * HOUR);
    expect(agent.status().tunnel).toMatchObject({ state: "waiting", after: "version_unsupported" });
    expect(stands(agent).pairing).toBeUndefined();
  });

  test("is paired anew at once when it is asked to", async () => {
    putToken("plt_cli_old");
    const agent = await start();
    expect(agent.status().tunnel.reason).toBe("rejected");
    await pair(agent);
    pairings.answers = [approved];
    await clock.advance(5_000);
    expect(stands(agent)).toEqual({ paired: true, pairing: "paired", tunnel: "online" });
  });

  test("takes up another one within ten seconds, however long it was to wait", async () => {
    putToken("plt_cli_old");
    const agent = await start();
    await clock.advance(60_000);
    putToken(TOKEN);
    await clock.advance(10_000);
    expect(stands(agent).tunnel).toBe("online");
  });
});

describe("a hub that is paired", () => {
  test("is not paired again unless that is meant, and is online with its old token until then", async () => {
    putToken(TOKEN);
    const agent = await start();
    await expect(async () => await pair(agent)).rejects.toThrow("already paired");
    await pair(agent, true);
    await clock.advance(HOUR);
    expect(stands(agent)).toEqual({ paired: true, pairing: "waiting", tunnel: "online" });
    pairings.answers = [approved];
    await clock.advance(5_000);
    await expect(async () => await pair(agent)).rejects.toThrow("already paired");
  });

  test("keeps the token in use when the file cannot be read, and says so once", async () => {
    putToken(TOKEN);
    const agent = await start();
    putToken("two words");
    for (let times = 0; times < 3; times++) agent.lookForToken();
    await clock.advance(60_000);
    expect(stands(agent).tunnel).toBe("online");
    expect(warnings).toEqual(["the token file cannot be read; the token in use stays"]);
  });

  test("never goes on with a pairing that was over when it died", async () => {
    new PairingFile(folder, CLOUD).write(pairingOf(1));
    putToken(TOKEN);
    await start();
    expect(new PairingFile(folder, CLOUD).read()).toBeUndefined();
  });

  test("gives its token back, and reports the result", async () => {
    putToken(TOKEN);
    const agent = await start();
    cloud.answers.unpair = () => ({});
    expect(await agent.unpair()).toEqual({ revoked: true });
    await cloud.close("token_revoked");
    await clock.advance(HOUR);
    await agent.unpaired;
    expect([cloud.dials.length, pairings.begun]).toEqual([1, []]);
  });

  test.each([
    ["by a cloud that is quicker to end the tunnel than to answer", "token_revoked", true],
    ["not by a cloud that ends the tunnel for another reason", "restart", false],
    ["not by a cloud that does not know how", undefined, false],
  ] as const)("is distinguished: its token was revoked %s", async (_how, reason, revoked) => {
    putToken(TOKEN);
    const agent = await start();
    if (reason) {
      cloud.answers.unpair = () => {
        void cloud.close(reason);
        return new Promise(() => undefined);
      };
    }
    expect(await clock.until(agent.unpair())).toEqual({ revoked });
  });

  test("that is offline says that its token could not be revoked", async () => {
    putToken(TOKEN);
    cloud.refusals.push(...Array.from({ length: 100 }, () => new Error("ENETUNREACH")));
    const agent = await start();
    expect(await agent.unpair()).toEqual({ revoked: false });
  });
});
