/** Commands that connect a hub to this service. Each works as pasted: on a hub, or in a checkout of Porchlight. */

/** For a hub with the agent's package. @param origin the service's address, without `/api` */
export function pairCommand(origin: string): string {
  return `porchlight-agent pair --cloud ${origin}`;
}

/** Simulated devices, which run until they are stopped. */
export const SIMULATED_DEVICES =
  "npx porchlight-sim run firmware-sim/examples/home.yaml --link light=/tmp/light --link bridge=/tmp/bridge";

/**
 * Runs the agent of a simulated hub, which shows its code and waits. Each service has its own data folder, so that a hub that was paired
 * with another service does not present that service's token.
 * @param origin the service's address, without `/api`
 */
export function simulatedHub(origin: string): string {
  const folder = `/tmp/porchlight-hub-${new URL(origin).host.replaceAll(/[^a-z0-9.]+/gi, "-")}`;
  return `npx porchlight-agent pair --again --cloud ${origin} --data ${folder} &&
npx porchlight-agent run --cloud ${origin} --data ${folder} --serial /tmp/light --serial /tmp/bridge`;
}
