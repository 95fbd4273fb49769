/** What the driver says of its devices: to people in words, to programs by name. */
import type { FoundDevice } from "../kit/index.ts";
import type { ShellyLine } from "./shelly-line.ts";
import { awaitsPeople, isQuiet } from "./trouble.ts";

/** As many as stand in one answer. */
const MOST_SHOWN = 50;
const MOST_PROBLEMS = 5;

type Lines = readonly Pick<ShellyLine, "place" | "known" | "trouble" | "device">[];

export function foundDevices(lines: Lines): FoundDevice[] {
  return lines.flatMap(({ known, trouble }) => {
    if (!known || !trouble || !awaitsPeople(trouble)) return [];
    const admission = trouble.kind === "awaits_admission" ? "awaiting_admission" : "not_admitted";
    return [{ ...known, admission }];
  });
}

/** What keeps the hub from devices that it should have, a sentence each. */
export function problemOf(lines: Lines): string | undefined {
  const problems = lines.flatMap(({ place, known, trouble, device }) => {
    if (device || !trouble || isQuiet(trouble)) return [];
    const name = known?.about.name ?? known?.about.model;
    return [`${place.name}${name === undefined ? "" : ` (${name})`}: ${trouble.message}`];
  });
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`${more} more are not had.`] : [])].join(" ");
}

export function lineStatus(lines: Lines) {
  const live = lines.filter(({ device }) => device?.isLive).length;
  const leftAside: Record<string, number> = {};
  for (const { device } of lines)
    for (const [what, count] of Object.entries(device?.description.leftAside ?? {}))
      leftAside[what] = (leftAside[what] ?? 0) + count;
  return {
    ...{ known: lines.length, live, components: { leftAside } },
    notHad: lines
      .flatMap(({ place, known, trouble, device }) =>
        device || !trouble || trouble.kind === "reached_otherwise"
          ? []
          : [{ shelly: place.name, edgeId: known?.edgeId, why: trouble.kind, failure: trouble.message }],
      )
      .slice(0, MOST_SHOWN),
  };
}
