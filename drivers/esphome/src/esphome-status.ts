/** Reports of the driver about its devices: sentences for people, counts and names for programs. */
import { type FoundDevice, type NetworkServices, networkTroubles, type UnpairedDevice } from "@porchlight/driver-kit";
import type { EspHomeLine } from "./esphome-line.ts";
import { KEY_SETUP } from "./key-setup.ts";
import { lacksKey, needsReport } from "./trouble.ts";

/** Maximum sentences in one problem. */
const MOST_SENTENCES = 5;

type EspHomeLines = readonly Pick<EspHomeLine, "place" | "known" | "trouble" | "device">[];

/** Devices that a person can admit, each once, including a device found in place of the expected one. */
export function foundEspHomes(lines: EspHomeLines): FoundDevice[] {
  const found = new Map<string, FoundDevice>();
  for (const { known, trouble } of lines) {
    if (!known || !trouble?.awaitsAdmission) continue;
    const admission = trouble.kind === "not_admitted" ? "not_admitted" : "awaiting_admission";
    if (!found.has(known.edgeId)) found.set(known.edgeId, { ...known, admission });
  }
  return [...found.values()];
}

/** Devices whose encryption key the hub lacks, each once. */
export function unpairedEspHomes(lines: EspHomeLines): UnpairedDevice[] {
  const unpaired = new Map<string, UnpairedDevice>();
  for (const { place, known, trouble } of lines) {
    if (!trouble || !lacksKey(trouble)) continue;
    const { edgeId, about } = known ?? {};
    const device = { name: about?.name ?? about?.model ?? "ESPHome", edgeId, address: place.name };
    const missing =
      trouble.kind === "wrong_key" ? "Its encryption key has changed. Enter it." : "Enter its encryption key.";
    // A wrong key in the settings must be corrected there.
    const how = place.key ? { missing: `${trouble.message} ${trouble.cure}` } : { missing, setup: KEY_SETUP.kind };
    unpaired.set(edgeId ?? place.name, { ...device, ...how });
  }
  return [...unpaired.values()];
}

/** Troubles with devices that the hub should have, one sentence each. */
export function espHomeProblem(lines: EspHomeLines, services?: NetworkServices): string | undefined {
  const stated = espHomeTroubles(lines, services).map(({ says }) => says);
  if (stated.length === 0) return undefined;
  const more = stated.length - MOST_SENTENCES;
  return [...stated.slice(0, MOST_SENTENCES), ...(more > 0 ? [`${more} more cannot be used.`] : [])].join(" ");
}

/** The same troubles as a list, each with its cure; `doctor` reads it. */
export function espHomeTroubles(lines: EspHomeLines, services?: NetworkServices) {
  const ofDevices = lines.flatMap(({ place, known, trouble, device }) => {
    if (device || !trouble || !needsReport(trouble)) return [];
    const name = known?.about.name ?? known?.about.model;
    const says = `${place.name}${name === undefined || name === place.name ? "" : ` (${name})`}: ${trouble.message}`;
    return [{ edgeId: known?.edgeId, why: trouble.kind, says, cure: trouble.cure }];
  });
  return [...networkTroubles(services, lines.length > 0), ...ofDevices];
}

export function espHomeCounts(lines: EspHomeLines) {
  const devices = lines.flatMap(({ device }) => device ?? []);
  const leftAside: Record<string, number> = {};
  for (const { description } of devices)
    for (const [what, count] of Object.entries(description.leftAside)) leftAside[what] = (leftAside[what] ?? 0) + count;
  return {
    known: lines.length,
    live: devices.filter(({ isLive }) => isLive).length,
    asleep: lines.filter(({ trouble }) => trouble?.kind === "asleep").length,
    entities: { leftAside },
  };
}
