/** What is told of a driver: its state, what keeps it from its devices, what it sees and leaves alone, what it can set up. */
import type { FoundDevice, SetupKind, StatedDriver, UnpairedDevice } from "@porchlight/driver-kit";
import { type FoundDeviceText, type HubDriver, MOST_TOLD, type UnpairedDeviceText } from "@porchlight/shared/model";
import { z } from "zod";

/** What the supervisor says of every driver; one without a supervisor runs. */
const supervision = z.looseObject({
  driver: z.enum(["starting", "running", "failed", "stopped"]).default("running"),
  failure: z.string().optional(),
});

const LONGEST = 256;
const LONGEST_PROBLEM = 1024;

/** @param devices edgeIds of the hub's devices */
export function driverOverview(driver: StatedDriver, devices: readonly string[]): HubDriver {
  const { driver: state, failure } = supervision.safeParse(driver.status?.() ?? {}).data ?? { driver: "running" };
  const problem = state === "failed" ? `The driver has failed and is restarted: ${failure}` : driver.problem?.();
  return {
    name: driver.name.slice(0, LONGEST),
    state,
    ...(problem !== undefined && { problem: problem.slice(0, LONGEST_PROBLEM) }),
    devices: devices.filter((edgeId) => driver.has(edgeId)).length,
    found: (driver.found?.() ?? []).slice(0, MOST_TOLD).map(foundText),
    unpaired: (driver.unpaired?.() ?? []).slice(0, MOST_TOLD).map(unpairedText),
    setups: offeredSetups(driver).map(({ kind, title }) => ({ kind, title })),
  };
}

/** What people can start: what releases devices is run when the hub leaves its owner. */
export function offeredSetups(driver: StatedDriver): readonly SetupKind[] {
  return (driver.setups?.() ?? []).filter(({ releases }) => releases === undefined);
}

function foundText({ edgeId, about, services, admission }: FoundDevice): FoundDeviceText {
  const { name, manufacturer, model } = about;
  const words = shortened({ name, manufacturer, model });
  return { edgeId, ...words, services: [...new Set(services)].slice(0, 64), admission };
}

function unpairedText({ name, missing, edgeId, address, setup }: UnpairedDevice): UnpairedDeviceText {
  const words = shortened({ edgeId, address, setup });
  return { name: name.slice(0, LONGEST), ...words, missing: missing.slice(0, LONGEST_PROBLEM) };
}

function shortened(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text.slice(0, LONGEST)]])),
  );
}
