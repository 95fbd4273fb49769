/** Commands that bring a hub to the service that is looked at. Each works as it is pasted: on a hub, or in a checkout of Porchlight. */

/** On a hub with the agent's package. @param origin the service's address, without `/api` */
export function pairCommand(origin: string): string {
  return `porchlight-agent pair --cloud ${origin}`;
}

/** Simulated devices, which run until they are stopped. */
export const SIMULATED_DEVICES =
  "npx porchlight-sim run firmware-sim/examples/home.yaml --link light=/tmp/light --link bridge=/tmp/bridge";

/**
 * The agent of a hub for them, which shows its code and waits. Each service has a folder of its own, so that a hub that was paired
 * with another service does not come with that one's token. @param origin as above
 */
export function simulatedHub(origin: string): string {
  const folder = `/tmp/porchlight-hub-${new URL(origin).host.replaceAll(/[^a-z0-9.]+/gi, "-")}`;
  return `npx porchlight-agent pair --again --cloud ${origin} --data ${folder} &&
npx porchlight-agent run --cloud ${origin} --data ${folder} --serial /tmp/light --serial /tmp/bridge`;
}
