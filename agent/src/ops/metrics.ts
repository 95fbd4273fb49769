/**
 * The agent's metrics in Prometheus' text format, from the status. Written here and not by a library: a hub has little memory, and these
 * are twenty numbers. No label holds more than a link's name.
 */
import { createServer } from "node:http";
import type { AgentStatus } from "./status-schema.ts";

type Kind = "gauge" | "counter";
type Sample = readonly [value: number | undefined, labels?: Readonly<Record<string, string>>];

/** Resources that the process itself uses. */
export interface ProcessUse {
  readonly residentBytes: number;
  readonly processorSeconds: number;
}

/** `text/plain; version=0.0.4` */
export function metricsText(status: AgentStatus, use: ProcessUse): string {
  const { tunnel, queue, disk, clock, devices, links } = status;
  const live = devices.filter((device) => device.live).length;
  return [
    metric("porchlight_agent_info", "gauge", "Version of the agent.", [1, { version: status.version }]),
    metric("porchlight_agent_tunnel_live", "gauge", "1 while the lease of the tunnel is live.", [tunnel.live ? 1 : 0]),
    metric("porchlight_agent_tunnel_welcomes_total", "counter", "Number of tunnels that the cloud has accepted.", [
      tunnel.welcomes,
    ]),
    metric("porchlight_agent_tunnel_round_trip_seconds", "gauge", "Round trip of the last heartbeat.", [
      tunnel.roundTripMs === undefined ? undefined : tunnel.roundTripMs / 1000,
    ]),
    metric("porchlight_agent_queue_records", "gauge", "Records that are waiting for the cloud.", [queue.records]),
    metric("porchlight_agent_queue_bytes", "gauge", "Bytes of those records.", [queue.bytes]),
    metric("porchlight_agent_history_number", "counter", "Last number of the hub's history.", [queue.lastNumber]),
    metric("porchlight_agent_dropped_values_total", "counter", "Values dropped because a newer one is waiting.", [
      queue.droppedValues,
    ]),
    metric(
      "porchlight_agent_held_back_total",
      "counter",
      "Reports and events that devices had to hold back.",
      [queue.refusedEvents, { what: "events" }],
      [queue.refusedReports, { what: "reports" }],
    ),
    metric("porchlight_agent_gaps_total", "counter", "Values that were read but could not be stored.", [queue.gaps]),
    metric("porchlight_agent_not_recorded_total", "counter", "Changes that history could not record.", [
      queue.notRecorded,
    ]),
    metric("porchlight_agent_commands_waiting", "gauge", "Commands and reads that are waiting or running.", [
      status.commandsWaiting,
    ]),
    metric(
      "porchlight_agent_devices",
      "gauge",
      "Devices.",
      [live, { state: "live" }],
      [devices.length - live, { state: "away" }],
    ),
    metric("porchlight_agent_disk_free_bytes", "gauge", "Free bytes of the disk with the data folder.", [
      disk.freeBytes,
    ]),
    metric("porchlight_agent_disk_short", "gauge", "1 while the disk is full.", [disk.short ? 1 : 0]),
    metric("porchlight_agent_database_bytes", "gauge", "Bytes of the hub's database.", [disk.databaseBytes]),
    metric("porchlight_agent_clock_skew_seconds", "gauge", "How far the system's clock is ahead of the cloud's.", [
      clock.skewMs === undefined ? undefined : clock.skewMs / 1000,
    ]),
    metric("porchlight_agent_line_total", "counter", "Counters of each line.", ...links.flatMap(lineSamples)),
    metric("process_resident_memory_bytes", "gauge", "Resident memory.", [use.residentBytes]),
    metric("process_cpu_seconds_total", "counter", "Processor time.", [use.processorSeconds]),
  ].join("");
}

/** Listens on 127.0.0.1 until it is disposed; answers nothing but `GET /metrics`. @throws what listening throws */
export function listenForMetrics(
  text: () => string,
  port: number,
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    if (request.method === "GET" && request.url === "/metrics")
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text());
    else response.writeHead(404).end();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const end = async () => {
      server.closeAllConnections();
      server.close();
    };
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve({ port: typeof address === "object" && address ? address.port : port, [Symbol.asyncDispose]: end });
    });
  });
}

function metric(name: string, kind: Kind, help: string, ...samples: readonly Sample[]): string {
  const lines = samples.flatMap(([value, labels = {}]) => {
    if (value === undefined) return [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return [`${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`];
  });
  if (lines.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join("")}`;
}

function lineSamples({ name, detail }: AgentStatus["links"][number]): Sample[] {
  if (typeof detail !== "object" || detail === null || !("counters" in detail)) return [];
  const { counters } = detail;
  if (typeof counters !== "object" || counters === null) return [];
  return Object.entries(counters).flatMap(([what, count]): Sample[] =>
    typeof count === "number" ? [[count, { line: name, what }]] : [],
  );
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
