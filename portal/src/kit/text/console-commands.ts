/** Console commands for empty pages. Each line works when it is pasted in a checkout of Porchlight, after the console is logged in. */

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
