/** A home without hardware, as lines that work when they are pasted in a checkout of Porchlight. */

/** Its devices, which go on for as long as they are wanted. */
export const SIMULATED_DEVICES =
  "npx porchlight-sim run firmware-sim/examples/home.yaml --link light=/tmp/light --link bridge=/tmp/bridge";

/** And a hub's agent for them, which shows its code and waits. @param origin the service's address, without `/api` */
export function simulatedHub(origin: string): string {
  return `npx porchlight-agent pair --cloud ${origin} --data /tmp/hub &&
npx porchlight-agent run --cloud ${origin} --data /tmp/hub --serial /tmp/light --serial /tmp/bridge`;
}
