/** The status of a hub on which all is well: what tests of health, texts and metrics change one thing of. */
import type { AgentStatus } from "./status-schema.ts";

/** The wall clock of that moment, ms since 1970. */
export const NOW = 10_000_000;
const MIB = 1024 * 1024;

export const STATUS: AgentStatus = {
  version: "0.1.0",
  pid: 1,
  edgeId: "02-00-00-00-00-01",
  cloud: "https://cloud.example",
  paired: true,
  startedAt: NOW - 3_600_000,
  tunnel: { state: "online", since: NOW - 60_000, live: true, epoch: 3, roundTripMs: 12.4, welcomes: 1, counts: {} },
  queue: {
    records: 3,
    bytes: 900,
    lastNumber: 10,
    acknowledged: 7,
    droppedValues: 0,
    refusedEvents: 0,
    refusedReports: 0,
    gaps: 0,
    notRecorded: 0,
    full: false,
  },
  disk: { freeBytes: 300 * MIB, totalBytes: 900 * MIB, databaseBytes: 2 * MIB, short: false, damaged: [] },
  clock: { skewMs: 200, source: "system" },
  commandsWaiting: 0,
  devices: [
    { edgeId: "00-1B-44-11-3A-B7", name: "Hall lamp", transport: "serial /dev/ttyUSB0", live: true },
    { edgeId: "00-1B-44-11-3A-B8", live: false },
  ],
  drivers: [],
  links: [{ name: "serial /dev/ttyUSB0" }],
};
