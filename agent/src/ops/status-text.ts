/** The agent's status for people: pure, one line for each thing that one would ask. */
import type { AgentStatus } from "./status-schema.ts";

/** @param now wall-clock time, ms since 1970 */
export function statusText(status: AgentStatus, now: number): string {
  const { tunnel, queue, devices, links } = status;
  const lines = [
    `porchlight-agent ${status.version}, hub ${status.edgeId}, running for ${span(now - status.startedAt)}`,
    `cloud    ${status.cloud}${status.paired ? "" : " (not paired: there is no token)"}`,
    `tunnel   ${tunnelText(tunnel, now)}`,
    `queue    ${queueText(queue)}`,
    `devices  ${devices.filter(({ live }) => live).length} of ${devices.length} live`,
    ...devices.map(
      ({ edgeId, name, transport, live }) =>
        `  ${edgeId}  ${live ? "live" : "away"}  ${[name, transport].filter(Boolean).join(", ")}`,
    ),
    `links    ${links.map(({ name }) => name).join(", ") || "none"}`,
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function tunnelText(tunnel: AgentStatus["tunnel"], now: number): string {
  const { state, since, until, reason, after, roundTripMs, live } = tunnel;
  const next = until === undefined ? "" : `, again in ${span(until - now)}`;
  switch (state) {
    case "online":
      if (!live) return "online by name, but nothing has been heard for a lease";
      return `online for ${span(now - since)}${roundTripMs === undefined ? "" : `, round trip ${Math.round(roundTripMs)} ms`}`;
    case "waiting":
      if (reason === "superseded") return `another agent with this hub's identity is online; this one waits${next}`;
      if (reason === "rejected")
        return `the cloud does not accept this hub (${after}): give it another token or pair it anew${next}`;
      return `offline for ${span(now - since)} (${after})${next}`;
    case "unpaired":
      return "none";
    default:
      return `${state} for ${span(now - since)}`;
  }
}

function queueText({ records, bytes, droppedValues, refusedEvents, full }: AgentStatus["queue"]): string {
  const parts = [`${records} records, ${Math.ceil(bytes / 1024)} KiB wait to be told`];
  if (full) parts.push("full");
  if (droppedValues > 0) parts.push(`${droppedValues} older values dropped`);
  if (refusedEvents > 0) parts.push(`${refusedEvents} events held back`);
  return parts.join(", ");
}

/** A length of time in its two largest units. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} days`;
}
