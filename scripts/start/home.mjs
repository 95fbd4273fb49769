// The demonstration's simulated devices on pseudo-terminals and on the network, and the hub's agent that finds them there.
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

/** What it calls the device of the network. */
export const NETWORK_ALIAS = "reading-lamp";

/**
 * Starts the simulator; gives its lines and which device is behind which.
 * @param network file with the node of the network
 */
export async function startSimulator(programs, folder, network) {
  const links = NODES.flatMap((node) => ["--link", `${node}=${join(folder, node)}`]);
  const nodes = [];
  const { pid } = await programs.startUntil(
    "simulator",
    "firmware-sim/src/main.ts",
    ["run", DEVICES, network, "--json", ...links],
    (line) => {
      nodes.push(JSON.parse(line));
      return nodes.length === NODES.length + 1 ? nodes : undefined;
    },
  );
  const serial = nodes.filter(({ name }) => NODES.includes(name));
  const linkOf = (node) => (serial.includes(node) ? `serial ${node.path}` : node.path);
  const devices = nodes.flatMap((node) => node.devices.map((edgeId) => ({ edgeId, link: linkOf(node) })));
  return { pid, lines: serial.map(({ path }) => path), devices };
}

/** Starts the agent on those lines and on the network; gives its pid. @param settings file with the settings of the network */
export function startAgent(programs, { cloud, data, lines, settings }) {
  const serial = lines.flatMap((path) => ["--serial", path]);
  return programs.start("agent", "agent/src/main.ts", [
    "run",
    "--cloud",
    cloud,
    "--data",
    data,
    "--config",
    settings,
    ...serial,
  ]);
}
