/**
 * Commands for empty pages: of the console, and to connect a hub. Each works as pasted: on a hub, or in a checkout of Porchlight after
 * the console is logged in.
 */

/** Commands by the page that shows them. */
export const CONSOLE_COMMANDS = {
  webhooks: (ecosystemId: string) =>
    `webhooks listen --forward-to http://localhost:3000/hook --ecosystem ${ecosystemId}`,
  events: (ecosystemId: string) => `events tail --ecosystem ${ecosystemId}`,
  requests: (ecosystemId: string) => `environments list --ecosystem ${ecosystemId}`,
  audit: (ecosystemId: string) => `audit list --ecosystem ${ecosystemId}`,
  users: (ecosystemId: string) => `users create --key customer-1 --ecosystem ${ecosystemId}`,
  servers: (ecosystemId: string) => `servers create --alias backend --ecosystem ${ecosystemId}`,
  zones: (environmentId: string) => `zones create --alias kitchen --environment ${environmentId}`,
  scenes: (environmentId: string) => `scenes capture --alias evening --environment ${environmentId}`,
  alerts: () => "alerts list",
} as const satisfies Record<string, (id: string) => string>;

/** @param origin the service's address, without `/api` @param command one of the commands above */
export function consoleLine(origin: string, command: string): string {
  return `npx porchlight ${command} --api-url ${origin}`;
}

/** @param origin the service's address, without `/api` */
export function consoleLogIn(origin: string): string {
  return consoleLine(origin, "login");
}

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
