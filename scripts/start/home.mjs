// The demonstration's simulated devices on their pseudo-terminals, and the hub's agent that finds them there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const DEVICES = "firmware-sim/examples/home.yaml";

/** What the demonstration calls the devices of the example file. */
export const ALIASES = {
  "02-50-4C-51-00-01": "lamp",
  "02-50-4C-52-00-01": "hall-switch",
  "02-50-4C-52-00-02": "thermostat",
  "02-50-4C-52-00-03": "front-door",
  "02-50-4C-52-00-04": "bedside-button",
  "02-50-4C-52-00-05": "blind",
  "02-50-4C-52-00-06": "kettle",
};

/** Nodes of the example file, each of which gets a serial port under a stable name. */
const NODES = ["light", "bridge"];

/** Starts the simulator; gives its lines and which device is behind which. */
export async function startSimulator(programs, folder) {
  const links = NODES.flatMap((node) => ["--link", `${node}=${join(folder, node)}`]);
  const nodes = [];
  const { pid } = await programs.startUntil(
    "simulator",
    "firmware-sim/src/main.ts",
    ["run", DEVICES, "--json", ...links],
    (line) => {
      nodes.push(JSON.parse(line));
      return nodes.length === NODES.length ? nodes : undefined;
    },
  );
  const devices = nodes.flatMap(({ devices, path }) => devices.map((edgeId) => ({ edgeId, link: `serial ${path}` })));
  return { pid, lines: nodes.map(({ path }) => path), devices };
}

/** Starts the agent on those lines; gives its pid. */
export function startAgent(programs, { cloud, data, token, lines }) {
  const file = join(data, "token");
  writeFileSync(file, token, { mode: 0o600 });
  const serial = lines.flatMap((path) => ["--serial", path]);
  return programs.start("agent", "agent/src/main.ts", [
    "run",
    "--cloud",
    cloud,
    "--data",
    data,
    "--token-file",
    file,
    ...serial,
  ]);
}
