/**
 * Clients at home, who write through the hub's own API while others write through the cloud and everything breaks. Their answers are
 * judged by the same rules; the hub's journal is to them what the store is to the cloud's clients.
 */
import { type Random, randomInteger } from "@porchlight/shared/kernel";
import { LAMP, THERMOSTAT } from "./devices.ts";
import {
  type CommandRecord,
  type DeviceWrite,
  judgeCommands,
  judgePuts,
  judgeRepeated,
  type Put,
  type RepeatedPut,
} from "./history.ts";
import type { World } from "./world.ts";

export interface HomeHistory {
  readonly puts: Put[];
  readonly repeated: RepeatedPut[];
}

/** Properties that the cloud's clients write too, with values that those never ask for. */
const TARGETS = [
  { device: LAMP, property: "LightColor.hue", from: 200, step: 0.01 },
  { device: THERMOSTAT, property: "Thermostat.target", from: 20, step: 0.01 },
] as const;
const REPEATED = { device: LAMP, property: "LightColor.saturation", from: 50, step: 0.01 } as const;
const MOST_ATTEMPTS = 6;

/** One client for each property, and one that repeats under a key each write that was not confirmed; until `end`. */
export function homeClients(world: World, random: Random, history: HomeHistory, end: number): Promise<void>[] {
  return [
    ...TARGETS.map((target) => writer(world, random, history, target, end)),
    repeater(world, random, history, end),
  ];
}

/** @param commands of the hub's journal @param slackMs how late a command may reach the hardware, ms */
export function judgeHome(
  { puts, repeated }: HomeHistory,
  writes: readonly DeviceWrite[],
  commands: readonly CommandRecord[],
  slackMs: number,
): string[] {
  const violations = [
    ...judgePuts(puts, writes, slackMs),
    ...judgeCommands(puts, commands),
    ...judgeRepeated(repeated, writes, commands),
  ];
  return violations.map((violation) => `at home: ${violation}`);
}

/** What the cloud's clients had written, of which the cloud must have a command. */
export function notAtHome({ puts, repeated }: HomeHistory, writes: readonly DeviceWrite[]): DeviceWrite[] {
  const asked = new Set([...puts, ...repeated].map(({ property, value }) => `${property} ${value}`));
  return writes.filter(({ property, value }) => !asked.has(`${property} ${value}`));
}

async function writer(
  world: World,
  random: Random,
  { puts }: HomeHistory,
  { device, property, from, step }: (typeof TARGETS)[number],
  end: number,
): Promise<void> {
  for (let n = 1; world.clock.monotonic() < end; n++) {
    await world.sleep(random.fraction() * 1200);
    const value = Math.round((from + n * step) * 1000) / 1000;
    const waitMs = 1000 * (1 + randomInteger(random, 5));
    const put: Put = { device, property, value, sentAt: world.clock.monotonic(), waitMs };
    puts.push(put);
    const taken = () => {
      put.sentAt = world.clock.monotonic();
    };
    const answer = await world.putAtHome(device, property, value, waitMs / 1000, { taken });
    if (answer) put.answer = { at: world.clock.monotonic(), ...answered(answer) };
  }
}

async function repeater(world: World, random: Random, { repeated }: HomeHistory, end: number): Promise<void> {
  const { device, property, from, step } = REPEATED;
  for (let n = 1; world.clock.monotonic() < end; n++) {
    const value = Math.round((from + n * step) * 1000) / 1000;
    const put: RepeatedPut = { device, property, value, answers: [] };
    repeated.push(put);
    for (let attempt = 0; attempt < MOST_ATTEMPTS && put.answers.at(-1)?.status !== 200; attempt++) {
      await world.sleep(random.fraction() * 1500);
      const headers = { "idempotency-key": `value ${value}` };
      const answer = await world.putAtHome(device, property, value, 1 + randomInteger(random, 4), { headers });
      put.answers.push(answer && answered(answer));
    }
  }
}

type Answer = NonNullable<Awaited<ReturnType<World["putAtHome"]>>>;

/** The answer as the rules know it, which leave out fields that the answer does not have. */
function answered({ status, outcome, value, commandId }: Answer) {
  return { status, value, ...(outcome !== undefined && { outcome }), ...(commandId !== undefined && { commandId }) };
}
