// The demonstration's device of the network: a lamp on loopback, with an edgeId and a key of its own, so that two demonstrations on
// one machine do not take each other's. Made at the first run, kept in the data folder, and reused.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where hub and lamp meet. */
const INTERFACE = "127.0.0.1";

/** Writes what the simulator and the agent are to know of the lamp; gives its edgeId and the paths of the two files. */
export function prepareNetwork(folder) {
  const file = join(folder, "lamp.json");
  if (!existsSync(file)) {
    const [high, low] = [...randomBytes(2)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
    const made = { edgeId: `02-50-4C-53-${high}-${low}`, key: randomBytes(16).toString("hex") };
    // Whole or not there: a start that is interrupted here begins anew.
    writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  const { edgeId, key } = JSON.parse(readFileSync(file, "utf8"));
  const write = (name, lines) => {
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    edgeId,
    devices: write("network.yaml", [
      "nodes:",
      `  - edgeId: ${edgeId}`,
      "    name: network",
      "    tcp: 0",
      `    tls: {psk: ${key}}`,
      "    win: 4",
      "    devices:",
      `      - {edgeId: ${edgeId}, kind: colour-light, name: Reading lamp}`,
    ]),
    settings: write("agent.yaml", [`lan: ${INTERFACE}`, `lan.admit: [${edgeId}]`, "lan.keys:", `  - ${edgeId}=${key}`]),
  };
}
