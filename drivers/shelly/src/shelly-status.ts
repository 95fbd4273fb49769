/** What the driver says of its devices: to people in words, to programs by name. */
import type { FoundDevice, UnpairedDevice } from "@porchlight/driver-kit";
import type { ShellyDevice } from "./device/shelly-device.ts";
import { PASSWORD_SETUP } from "./password-setup.ts";
import type { ShellyLine } from "./shelly-line.ts";
import { isQuiet, lacksPassword } from "./trouble.ts";

const MOST_PROBLEMS = 5;

type Lines = readonly Pick<ShellyLine, "place" | "known" | "trouble" | "device">[];

export function foundDevices(lines: readonly Pick<ShellyLine, "known" | "trouble">[]): FoundDevice[] {
  return lines.flatMap(({ known, trouble }) => {
    if (!known || !trouble?.awaitsAdmission) return [];
    const admission = trouble.kind === "awaits_admission" ? "awaiting_admission" : "not_admitted";
    return [{ ...known, admission }];
  });
}

/** Devices whose password the hub does not have. */
export function unpairedDevices(lines: readonly Pick<ShellyLine, "place" | "known" | "trouble">[]): UnpairedDevice[] {
  return lines.flatMap(({ place, known, trouble }) => {
    if (!trouble || !lacksPassword(trouble)) return [];
    const { edgeId, about } = known ?? {};
    const device = { name: about?.name ?? about?.model ?? "Shelly", edgeId, address: place.name };
    // One from the settings is corrected there.
    if (place.password || !known) return [{ ...device, missing: `${trouble.message} ${trouble.cure}` }];
    const missing = trouble.kind === "wrong_password" ? "Its password has changed. Enter it." : "Enter its password.";
    return [{ ...device, missing, setup: PASSWORD_SETUP.kind }];
  });
}

/** What keeps the hub from devices that it should have, a sentence each. */
export function problemOf(lines: Lines): string | undefined {
  const problems = troublesOf(lines).map(({ says }) => says);
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`${more} more cannot be used.`] : [])].join(" ");
}

/** The same one by one, with what people can do: `doctor` reads it. */
export function troublesOf(lines: Lines) {
  return lines.flatMap(({ place, known, trouble, device }) => {
    if (device || !trouble || isQuiet(trouble)) return [];
    const name = known?.about.name ?? known?.about.model;
    const says = `${place.name}${name === undefined ? "" : ` (${name})`}: ${trouble.message}`;
    return [{ edgeId: known?.edgeId, why: trouble.kind, says, cure: trouble.cure }];
  });
}

export function lineStatus(lines: Lines, sleepers: readonly ShellyDevice[]) {
  const devices = [...lines.flatMap(({ device }) => device ?? []), ...sleepers];
  const live = devices.filter(({ isLive }) => isLive).length;
  const leftAside: Record<string, number> = {};
  for (const { description } of devices)
    for (const [what, count] of Object.entries(description.leftAside)) leftAside[what] = (leftAside[what] ?? 0) + count;
  const asleep = sleepers.filter(({ isAwake }) => !isAwake).length;
  return { known: lines.length + sleepers.length, live, asleep, components: { leftAside } };
}
