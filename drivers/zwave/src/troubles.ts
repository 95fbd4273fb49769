/** What is wrong with the network and its nodes, one by one: `doctor`, the hub's page and `status` tell it. Pure. */
import type { ZwaveDevice } from "./device/zwave-device.ts";
import { type NoNetwork, type ZwaveTrouble, zwaveTrouble } from "./trouble.ts";

type Devices = readonly Pick<ZwaveDevice, "node">[];

const MOST_SENTENCES = 5;

/** @param failure why there is no connection; undefined while there is one, and before the first try has ended */
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

/** For the hub's page: the first ones, a sentence each. */
export function sentencesOf(troubles: readonly ZwaveTrouble[]): string | undefined {
  if (troubles.length === 0) return undefined;
  const more = troubles.length - MOST_SENTENCES;
  const rest = more > 0 ? [`${more} more things are wrong.`] : [];
  return [...troubles.slice(0, MOST_SENTENCES).map(({ says }) => says), ...rest].join(" ");
}
