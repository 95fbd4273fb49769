/** The uplink's state in the flat form of `status`: pure, and separate so that the states contain no wording. */
import type { Ending } from "./ending.ts";
import type { UplinkStatus } from "./uplink.ts";

type Flat = Omit<UplinkStatus, "tunnel"> & {
  readonly state: UplinkStatus["tunnel"]["kind"] | "unpaired";
  readonly since: number;
  readonly epoch?: number;
  readonly until?: number;
  readonly reason?: string;
  readonly after?: string;
};

/** @param startedAt the start of the agent, as the beginning of the state of a hub without an uplink */
export function tunnelStatus(
  status: UplinkStatus | undefined,
  startedAt: number,
): Flat & { counts: Record<string, number> } {
  if (!status) return { state: "unpaired", since: startedAt, live: false, welcomes: 0, counts: {} };
  const { tunnel, counts, ...rest } = status;
  const flat = { ...rest, counts: { ...counts }, state: tunnel.kind, since: tunnel.since };
  switch (tunnel.kind) {
    case "online":
      return { ...flat, epoch: tunnel.epoch };
    case "leaving":
      return { ...flat, epoch: tunnel.epoch, until: tunnel.until };
    case "waiting":
      return { ...flat, until: tunnel.until, reason: tunnel.reason, after: endingText(tunnel.after) };
    default:
      return flat;
  }
}

function endingText(ending: Ending): string {
  switch (ending.kind) {
    case "refused":
      return `refused with status ${ending.status}`;
    case "unreachable":
      return ending.detail;
    case "renewed":
      return "a new history was started";
    case "closed":
      return ending.reason;
  }
}
