/** Lists the troubles of the network and its nodes for `doctor`, the hub's page and `status`. Pure. */
import { NEWEST_SCHEMA, OLDEST_SCHEMA } from "./server/messages.ts";
import { NoZwaveServer } from "./server/ws-socket.ts";
import type { ZwaveDevice } from "./zwave-device.ts";

type Devices = readonly Pick<ZwaveDevice, "node">[];

const MOST_SENTENCES = 5;

/** @param failure why there is no connection; undefined while connected, and before the first attempt has ended */
export function linkTroubles(
  failure: NoNetwork | undefined,
  isControllerThere: boolean,
  devices: Devices,
): ZwaveTrouble[] {
  if (failure) return [zwaveTrouble(failure.kind, failure.message)];
  if (!isControllerThere)
    return [zwaveTrouble("controller_unresponsive", "The Z-Wave stick does not respond; its devices are offline.")];
  return devices.flatMap(({ node }) => nodeTroubles(node));
}

function nodeTroubles(node: ZwaveDevice["node"]): ZwaveTrouble[] {
  const { name } = node.description.about;
  const called = `Node ${node.id} (${name})`;
  const troubles: ZwaveTrouble[] = [];
  if (node.isDead) troubles.push(zwaveTrouble("node_dead", `${called} does not answer: it is dead.`, node.id));
  else if (!node.isReady)
    troubles.push(zwaveTrouble("interview_not_complete", `${called} is not interviewed yet.`, node.id));
  else if (node.isAsleep && !node.isThere)
    troubles.push(zwaveTrouble("node_silent", `${called} has not woken for more than two of its intervals.`, node.id));
  if (node.isInsecureLock)
    troubles.push(
      zwaveTrouble("lock_not_secure", `${called} is a lock that was included without encryption.`, node.id),
    );
  return troubles;
}

/** The first troubles for the hub's page, one sentence each. */
export function sentencesOf(troubles: readonly ZwaveTrouble[]): string | undefined {
  if (troubles.length === 0) return undefined;
  const more = troubles.length - MOST_SENTENCES;
  const rest = more > 0 ? [`${more} more things are wrong.`] : [];
  return [...troubles.slice(0, MOST_SENTENCES).map(({ says }) => says), ...rest].join(" ");
}

/** Why the hub lacks the network or one of its devices: by name, in words, and what people can do. */
type ZwaveTroubleKind =
  | "server_not_reached"
  | "no_zwave_server"
  | "schema_too_old"
  | "schema_too_new"
  | "no_controller"
  | "controller_unresponsive"
  | "node_dead"
  | "node_silent"
  | "interview_not_complete"
  | "lock_not_secure";

const CURES: Readonly<Record<ZwaveTroubleKind, string>> = {
  server_not_reached:
    "Check that Z-Wave JS UI (or the Z-Wave JS add-on) runs with its WebSocket server turned on, and `drivers.zwave.server`.",
  no_zwave_server: "Something else answers at that address: correct `drivers.zwave.server`. The usual port is 3000.",
  schema_too_old: "Update Z-Wave JS UI, or the Z-Wave JS add-on.",
  schema_too_new: "Update the agent.",
  no_controller: "Plug in the Z-Wave stick, and check its path in the settings of Z-Wave JS UI.",
  controller_unresponsive: "Unplug the Z-Wave stick, and plug it in again.",
  node_dead: "Check its power and its distance, then ping it in Z-Wave JS UI.",
  node_silent: "Check its battery, then wake it.",
  interview_not_complete:
    "Wait for its interview. If it does not end, wake the device, and re-interview it in Z-Wave JS UI.",
  lock_not_secure: "Exclude it, and include it again with security (S2 or S0) in Z-Wave JS UI.",
};

/** In the form that `doctor` and the hub's page show. */
interface ZwaveTrouble {
  readonly why: ZwaveTroubleKind;
  readonly says: string;
  readonly cure: string;
  readonly node?: number | undefined;
}

function zwaveTrouble(why: ZwaveTroubleKind, says: string, node?: number): ZwaveTrouble {
  return { why, says, cure: CURES[why], ...(node !== undefined && { node }) };
}

/** Thrown when the network is unavailable; the message is a sentence for people. */
export class NoNetwork extends Error {
  readonly kind: ZwaveTroubleKind;

  constructor(kind: ZwaveTroubleKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const tooOld = (newest: number) =>
  new NoNetwork(
    "schema_too_old",
    `The Z-Wave server is too old: it knows schema ${newest}, and ${OLDEST_SCHEMA} is needed.`,
  );

export const tooNew = (oldest: number) =>
  new NoNetwork(
    "schema_too_new",
    `The Z-Wave server is too new: it wants schema ${oldest}, and the agent knows ${NEWEST_SCHEMA}.`,
  );

/** Converts the reason why a connection failed or ended. */
export function networkFailure(failure: unknown): NoNetwork {
  if (failure instanceof NoNetwork) return failure;
  const why = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof NoZwaveServer)
    return new NoNetwork("no_zwave_server", `What answers there is not a Z-Wave server (${why}).`);
  return new NoNetwork("server_not_reached", `The Z-Wave server is not reached (${why}).`);
}

/** Whether only a person can resolve it; the driver retries it seldom. */
export function isForPeople({ kind }: NoNetwork): boolean {
  return kind !== "server_not_reached";
}
