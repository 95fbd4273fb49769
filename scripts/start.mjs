// `npm start`: the main job, end to end, on this machine: a cloud, a hub's agent, and simulated devices, on real pseudo-terminals
// and on the network.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildPortal } from "./portal/build.mjs";
import { Api } from "./start/api.mjs";
import { prepareAccount, prepareDevices } from "./start/demo.mjs";
import { ALIASES, NETWORK_ALIAS, startAgent, startSimulator } from "./start/home.mjs";
import { prepareNetwork } from "./start/network.mjs";
import { pairHub } from "./start/pairing.mjs";
import { Programs } from "./start/processes.mjs";
import { jsonLine, page } from "./start/report.mjs";
import { root } from "./tools.mjs";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "8080" },
    data: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const data = resolve(options.data ?? join(root, ".porchlight"));
try {
  buildPortal();
  for (const part of ["cloud", "agent", "lines"]) mkdirSync(join(data, part), { recursive: true, mode: 0o700 });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

// A demonstration does not wait five seconds to learn that it is paired.
process.env.PORCHLIGHT_PAIRING_INTERVAL_MS ??= "500";
// For receivers that are being written on this machine.
if (process.env.PORCHLIGHT_WEBHOOK_ALLOW === undefined) {
  process.env.PORCHLIGHT_WEBHOOK_ALLOW = "127.0.0.0/8,::1";
  process.stderr.write("webhooks may be sent to this machine too, also without TLS\n");
}
// With SMTP the code to verify the address of the demonstration's account would go to an unused address.
process.env.PORCHLIGHT_VERIFY_ADDRESSES ??= "off";
const programs = new Programs(process.execPath, root);
let stopping;
const stop = (status) => {
  stopping ??= programs.stop().then(() => process.exit(status));
  return stopping;
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop(0));

try {
  const cloud = await programs.startUntil(
    "cloud",
    "cloud/src/main.ts",
    ["serve", "--port", options.port, "--data", join(data, "cloud")],
    (line) => /^listening on (http\S+)$/.exec(line)?.[1],
  );
  const api = new Api(cloud.value);
  const hub = { cloud: cloud.value, data: join(data, "agent") };
  const account = await prepareAccount(api, data, (kept) => pairHub(programs, api, kept, hub));
  const network = prepareNetwork(join(data, "lines"));
  const simulator = await startSimulator(programs, join(data, "lines"), network.devices);
  const agent = startAgent(programs, {
    ...hub,
    lines: simulator.lines,
    settings: network.settings,
  });
  const aliases = { ...ALIASES, [network.edgeId]: NETWORK_ALIAS };
  const home = await prepareDevices(api, account, simulator.devices, aliases, sleep);
  const { email, password, accountId, accountToken, serverToken, userToken, ecosystemId, environmentId } = account;
  const facts = {
    apiUrl: cloud.value,
    portalUrl: `${cloud.value}/`,
    ...{ email, password, accountId, accountToken, serverToken, userToken, ecosystemId, environmentId },
    hub: home.hub,
    devices: home.devices,
    pids: { cloud: cloud.pid, agent, simulator: simulator.pid },
  };
  process.stdout.write(`${options.json ? jsonLine(facts) : page(facts)}\n`);
} catch (error) {
  if (!stopping) process.stderr.write(`${error.message}\n`);
  await stop(1);
}
