/**
 * A hub's database that a dying disk has damaged: bits flipped, the end torn off, blocks smeared over. The agent starts, and
 * never takes damage for a device's word.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { State } from "@porchlight/agent/state/index.ts";
import { type Random, randomInteger, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { DeviceDescription } from "@porchlight/shared/model";
import { afterAll, describe, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";

const DEVICES = Array.from({ length: 20 }, (_, place) => `02-50-4C-00-01-${String(place).padStart(2, "0")}`);
const DESCRIPTION: DeviceDescription = [
  {
    service: "LightLevel",
    index: "0",
    properties: [{ property: "level", type: "number", access: ["read", "notify"] }],
  },
  { service: "Button", index: "0", properties: [{ property: "event", type: "string", access: ["notify"] }] },
];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function open(folder: string, clock: VirtualClock, seed: number): State {
  return State.open(join(folder, "agent.db"), { clock, random: seededRandom(seed), log: silentLog, groupMs: 1 });
}

/** Everything that a hub knows and would report, but for the moment in which a start ended what was cut off. */
function knowledge(state: State) {
  const { logId, lastNumber, acknowledged } = state;
  const values = DEVICES.map(
    (device) => state.value({ device, service: "LightLevel", index: "0", property: "level" })?.value,
  );
  const all = {
    logId,
    lastNumber,
    acknowledged,
    values,
    devices: state.devices().map(({ edgeId, digest, arrival, online }) => [edgeId, digest, arrival, online]),
    outbox: state.pending(0, 100_000, Number.POSITIVE_INFINITY),
    journal: ["cmd_1", "cmd_2"].map((command) => state.entry(command)),
  };
  return JSON.stringify(all, (_key, value) => (value?.outcome === "unknown" ? { ...value, observedAt: 0 } : value));
}

/** The database as SIGKILL leaves it: the file as the disk has it, with its write-ahead log. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), "porchlight-damage-"));
  folders.push(copy);
  for (const part of ["agent.db", "agent.db-wal"])
    if (existsSync(join(folder, part))) copyFileSync(join(folder, part), join(copy, part));
  return copy;
}

/** A hub with a history; its state after each commit, for a database that lost its newest ones. */
async function history(clock: VirtualClock, ending: "stopped" | "killed") {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-damage-"));
  folders.push(folder);
  let state = open(folder, clock, 1);
  const known = new Set<string>();
  const done = async (committed: Promise<unknown>) => {
    await clock.until(committed, 1000);
    known.add(knowledge(state));
  };
  await done(
    Promise.all(
      DEVICES.map((edgeId) => state.arrive({ edgeId, description: DESCRIPTION, about: {}, transport: "memory" })),
    ),
  );
  for (let n = 0; n < 30; n++) {
    const reports = DEVICES.map((device, place) =>
      state.report(
        { device, service: "LightLevel", index: "0", property: "level", value: n * 100 + place },
        { node: device, boot: 1, seq: n },
      ),
    );
    await done(Promise.all(reports));
    if (n !== 14) continue;
    // Half of it goes into the file itself; what comes after stands in the write-ahead log of an agent that is killed.
    await state[Symbol.asyncDispose]();
    state = open(folder, clock, 2);
    known.add(knowledge(state));
  }
  const target = { device: DEVICES[0] ?? "", service: "LightLevel", index: "0", property: "level" };
  await done(state.begin({ id: "cmd_1", ...target, value: 5 }));
  const cutOff = open(copyOf(folder), clock, 3);
  known.add(knowledge(cutOff));
  cutOff.kill();
  await done(
    state.end({ command: "cmd_1", ...target, requested: 5, outcome: "confirmed", value: 5, observedAt: clock.now() }),
  );
  await done(state.acknowledge(100));
  if (ending === "stopped") await state[Symbol.asyncDispose]();
  else {
    const copy = copyOf(folder);
    state.kill();
    return { folder: copy, known };
  }
  return { folder, known };
}

type Damage = (bytes: Buffer, random: Random) => Buffer;
const flip: Damage = (bytes, random) => {
  for (let bits = 1 + randomInteger(random, 3); bits > 0; bits--) {
    const place = randomInteger(random, bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << randomInteger(random, 8));
  }
  return bytes;
};
const tear: Damage = (bytes, random) => bytes.subarray(0, randomInteger(random, bytes.length));
const smear: Damage = (bytes, random) => {
  const from = randomInteger(random, bytes.length);
  return bytes.fill(
    random.fraction() < 0.5 ? 0 : 0xff,
    from,
    Math.min(bytes.length, from + 512 * (1 + randomInteger(random, 8))),
  );
};
const KINDS: readonly Damage[] = [flip, flip, tear, smear];

describe.each<["stopped" | "killed", string]>([
  ["stopped", "agent.db"],
  ["killed", "agent.db"],
  ["killed", "agent.db-wal"],
])("the database of an agent that was %s, damaged in %s", (ending, part) => {
  const cases = rounds(34, 1000);
  const title = `is whole, or of an earlier moment, or kept aside: never believed as it is, in ${cases} cases`;
  it(title, { timeout: 600_000 }, async () => {
    const clock = new VirtualClock();
    const whole = await history(clock, ending);
    const ended = { whole: 0, earlier: 0, aside: 0 };
    const before = [...whole.known].at(-1);
    for (let seed = 1; seed <= cases; seed++) {
      const random = seededRandom(seed);
      const folder = copyOf(whole.folder);
      const damage = KINDS[seed % KINDS.length] ?? flip;
      const path = join(folder, part);
      writeFileSync(path, damage(readFileSync(path), random));

      const state = open(folder, clock, seed + 1);
      const now = knowledge(state);
      const aside = readdirSync(folder).filter((name) => name.includes("damaged"));
      if (aside.length > 0) {
        ended.aside += 1;
        expect(state.status().disk.damaged, `seed ${seed}`).toEqual(aside.filter((name) => !name.endsWith("-wal")));
        expect([state.lastNumber, state.devices()], `seed ${seed}`).toEqual([0, []]);
      } else if (now === before) ended.whole += 1;
      else if (whole.known.has(now)) ended.earlier += 1;
      else expect.fail(`seed ${seed}: the hub believes what it never knew: ${now.slice(0, 400)}`);
      // It goes on: what comes is taken in.
      expect(
        await clock.until(
          state.arrive({ edgeId: DEVICES[3] ?? "", description: DESCRIPTION, about: {}, transport: "x" }),
          1000,
        ),
      ).toBeUndefined();
      state.kill();
      rmSync(folder, { recursive: true, force: true });
    }
    process.stdout.write(`damaged ${part} (${ending}), ${cases} cases: ${JSON.stringify(ended)}\n`);
    // Only a torn or damaged write-ahead log may cost the newest commits without a word.
    if (part === "agent.db" && ending === "stopped") expect(ended.earlier).toBe(0);
  });
});
