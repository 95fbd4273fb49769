/** The agent's status as text for people: pure, one line per topic. */
import type { Problem } from "./health.ts";
import type { AgentStatus } from "./status-schema.ts";

const MIB = 1024 * 1024;

/** @param now wall-clock time, ms since 1970 */
export function statusText(
  status: AgentStatus,
  problems: readonly Pick<Problem, "says" | "cure">[],
  now: number,
): string {
  const { tunnel, queue, devices, links, drivers } = status;
  const lines = [
    `porchlight-agent ${status.version}, hub ${status.edgeId}, running for ${span(now - status.startedAt)}`,
    `cloud    ${status.cloud}${status.paired ? "" : " (not paired)"}`,
    `tunnel   ${tunnelText(tunnel, now)}`,
    ...pairingLines(status.pairing),
    `queue    ${queueText(queue)}`,
    `devices  ${devices.filter(({ live }) => live).length} of ${devices.length} live`,
    ...deviceLines(devices).map((line) => `  ${line}`),
    `links    ${links.map(({ name }) => name).join(", ") || "none"}`,
    ...[...awaitingLines(drivers), ...unpairedLines(drivers)].map((line) => `  ${line}`),
    ...(status.localApi ? [`api      ${status.localApi.url ?? "not served"}`] : []),
    ...sceneLines(status.scenes, now),
    `disk     ${diskText(status.disk)}`,
    `clock    ${clockText(status.clock)}`,
    ...problems.flatMap(({ says, cure }) => ["", says, `  ${cure}`]),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function sceneLines(scenes: AgentStatus["scenes"], now: number): string[] {
  if (!scenes || scenes.stored === 0) return [];
  const parts = [`${scenes.stored} stored`];
  if (scenes.timed > 0) parts.push(`${scenes.timed} called by time or sun`);
  if (scenes.next !== undefined) parts.push(`the next in ${span(scenes.next - now)}`);
  return [`scenes   ${parts.join(", ")}`];
}

function pairingLines(pairing: AgentStatus["pairing"]): string[] {
  switch (pairing?.state) {
    case "waiting":
      return [`pairing  waiting until a person enters ${pairing.userCode} at ${pairing.verificationUri}`];
    case "asking":
      return [`pairing  requesting a code${pairing.problem === undefined ? "" : ` (${pairing.problem})`}`];
    case "denied":
      return ["pairing  denied; another code follows"];
    default:
      return [];
  }
}

/** The status in one line, for `systemctl status`; without values that change by themselves. */
export function summaryLine({ tunnel, devices, disk, queue }: AgentStatus): string {
  const live = devices.filter((device) => device.live).length;
  const parts = [tunnel.reason === undefined ? tunnel.state : `${tunnel.state} (${tunnel.reason})`];
  parts.push(`${live} of ${devices.length} devices live`);
  if (disk.short) parts.push("disk full");
  if (queue.full) parts.push("queue full");
  return parts.join(", ");
}

/** One line per device. */
export function deviceLines(devices: AgentStatus["devices"]): string[] {
  return devices.map(({ edgeId, name, transport, live }) => {
    const about = [name, transport].filter(Boolean).join(", ");
    return `${edgeId}  ${live ? "live" : "away"}  ${about}`.trimEnd();
  });
}

/** One line per device that a driver has found and that is not admitted, with its known details. */
export function foundLines(
  found: readonly (AgentStatus["drivers"][number]["found"][number] & { readonly driver: string })[],
): string[] {
  return found.map(({ edgeId, name, manufacturer, model, services, admission, driver }) => {
    const about = [name, [manufacturer, model].filter(Boolean).join(" "), services.join(" "), driver].filter(Boolean);
    return `${edgeId}  ${admission === "awaiting_admission" ? "awaits admission" : "not admitted"}  ${about.join(", ")}`;
  });
}

/** One line per bridge or device that must be paired first, with what is missing. */
export function unpairedLines(drivers: AgentStatus["drivers"]): string[] {
  return drivers.flatMap(({ name: driver, unpaired }) =>
    unpaired.map(({ name, edgeId, address, missing }) => {
      const where = [edgeId && address, driver].filter(Boolean);
      return `${edgeId ?? address ?? driver}  not paired  ${[name, ...where].join(", ")}: ${missing}`;
    }),
  );
}

function awaitingLines(drivers: AgentStatus["drivers"]): string[] {
  const awaiting = drivers.flatMap(({ name: driver, found }) =>
    found.filter(({ admission }) => admission === "awaiting_admission").map((each) => ({ ...each, driver })),
  );
  return foundLines(awaiting);
}

function diskText({ freeBytes, totalBytes, databaseBytes, short, damaged }: AgentStatus["disk"]): string {
  const parts = [`${Math.ceil(databaseBytes / MIB)} MiB of history`];
  if (freeBytes !== undefined && totalBytes !== undefined)
    parts.unshift(`${Math.floor(freeBytes / MIB)} of ${Math.floor(totalBytes / MIB)} MiB free`);
  if (short) parts.push("full");
  if (damaged.length > 0) parts.push(`damaged, kept as ${damaged.join(", ")}`);
  return parts.join(", ");
}

function clockText({ skewMs, source }: AgentStatus["clock"]): string {
  if (source === "guessed") return "wrong (earlier than the last known time); waiting for the time of the cloud";
  if (skewMs === undefined) return "the system clock, not yet compared with the cloud";
  const off = `${span(Math.abs(skewMs))} ${skewMs > 0 ? "ahead of" : "behind"} the cloud`;
  if (source === "cloud") return `the system clock is ${off}; the time of the cloud is used`;
  return Math.abs(skewMs) < 1000 ? "right within a second" : `the system clock, ${off}`;
}

function tunnelText(tunnel: AgentStatus["tunnel"], now: number): string {
  const { state, since, until, reason, after, live } = tunnel;
  const next = until === undefined ? "" : `, again in ${span(until - now)}`;
  switch (state) {
    case "online":
      if (!live) return "connected, but nothing received for the length of the lease";
      return [`online for ${span(now - since)}`, ...paceOf(tunnel)].join(", ");
    case "waiting":
      if (reason === "superseded") return `another agent with this hub's identity is online; this one waits${next}`;
      if (reason === "rejected")
        return `the cloud does not accept this hub (${after}): give it a new token or pair it again${next}`;
      return `offline for ${span(now - since)} (${after})${next}`;
    case "unpaired":
      return "none";
    default:
      return `${state} for ${span(now - since)}`;
  }
}

function paceOf({ roundTripMs, slowedMs }: AgentStatus["tunnel"]): string[] {
  return [
    ...(roundTripMs === undefined ? [] : [`round trip ${Math.round(roundTripMs)} ms`]),
    ...(slowedMs === undefined
      ? []
      : [
          `slowed by the cloud for ${Math.round(slowedMs)} ms of the last heartbeat: the hub sends more than its budget`,
        ]),
  ];
}

function queueText(queue: AgentStatus["queue"]): string {
  const { records, bytes, droppedValues, refusedEvents, refusedReports, gaps, notRecorded, full } = queue;
  const parts = [`${records} records, ${Math.ceil(bytes / 1024)} KiB waiting for the cloud`];
  if (full) parts.push("full");
  if (droppedValues > 0) parts.push(`${droppedValues} older values dropped`);
  if (refusedEvents > 0) parts.push(`${refusedEvents} events held at the devices`);
  if (refusedReports > 0) parts.push(`${refusedReports} reports held at the devices because the disk is full`);
  if (gaps > 0) parts.push(`${gaps} values lost because the disk is full`);
  if (notRecorded > 0) parts.push(`${notRecorded} changes that history could not record`);
  return parts.join(", ");
}

/** A duration in its two largest units. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} days`;
}
