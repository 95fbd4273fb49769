/** Devices that answer late with former values: after each read, write and change by hand, all clients show what the device has once all is at rest (B9). */
import { randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { casesOf } from "../parts/rounds.ts";
import { THERMOSTAT } from "./devices.ts";
import { World } from "./world.ts";

const TARGET = "Thermostat.target";
const ROUNDS = 20;
/** Longer than every answer, and than the readings that follow it, ms. */
const REST_MS = 3000;

it.each(casesOf([1, 2, 3], [4, 5, 6, 7, 8, 9, 10]))("shows no older value at rest, with seed %i", async (seed) => {
  await using world = await World.start({ seed });
  const random = seededRandom(seed);
  const thermostat = world.device(THERMOSTAT);
  const violations: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const value = 5 + round;
    thermostat.fail({ mode: "stale", ms: 50 + randomInteger(random, 250) });
    const path = `/api/devices/${world.deviceId(THERMOSTAT)}/services/${TARGET}?refresh=true`;
    const asked = randomInteger(random, 2) === 0 ? world.get(path) : world.put(THERMOSTAT, TARGET, value);
    await world.clock.advance(random.fraction() * 400);
    thermostat.turn(TARGET, value + 0.5);
    await world.clock.until<unknown>(asked);
    thermostat.fail({ mode: "none" });
    await world.clock.advance(REST_MS);
    const shown = await world.clock.until(world.cached(THERMOSTAT, TARGET));
    const held = thermostat.read(TARGET);
    if (shown !== held) violations.push(`round ${round}: the device has ${held}, and ${shown} is shown`);
  }
  expect(violations).toEqual([]);
});
