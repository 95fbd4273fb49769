/** The commented example that `porchlight-sim new` writes: each line that a user may want to change has a comment. */
import { addressKey } from "@porchlight/shared/model";
import { stringify } from "yaml";
import { KINDS, type Kind } from "./kinds.ts";

/** An edgeId of the locally administered range, which belongs to no manufacturer. */
const EDGE_ID = "02-50-4C-70-00-01";

/** @param kind a predefined kind of device, or `custom` @returns undefined for any other kind */
export function exampleFile(kind: string): string | undefined {
  const row = KINDS.get(kind);
  if (!row && kind !== "custom") return undefined;
  return [HEAD, indented(row ? readyMade(kind, row) : CUSTOM, 8), FAULTS].join("\n");
}

const HEAD = `# A simulated device. Run it:  porchlight-sim run THIS-FILE
# It says where its serial port is; give that to a hub:  porchlight-agent run … --serial PATH
nodes:
  - name: example                    # what you call it in faults and commands
    edgeId: ${EDGE_ID}        # the hardware's own, 6 or 8 bytes; 02-… belongs to no maker
    # link: /tmp/example             # a stable name for its port
    # tcp: 0                         # on the network instead, at any free port, announced by mDNS
    # tls: {psk: 000102030405060708090a0b0c0d0e0f}   # with TLS and this key; only with tcp
    # max: 1024                      # bytes of its largest frame, 128 to 4095
    # win: 1                         # requests that it takes at once, 1 to 8
    # faults: [corrupt 0.01, delay 200]              # what is wrong with its line and its board
    devices:                         # one of the node's own edgeId, or several behind a bridge
      - edgeId: ${EDGE_ID}
        name: Example`;

const FAULTS = `        # fault: slow 300            # how it misbehaves: silent, mute, slow, stale, forget, stuck, wrong, refuse, busy, broken
# All faults, and the commands that a running simulator takes:  porchlight-sim run --help
`;

function readyMade(kind: string, { services, values, lively }: Kind): string {
  const all = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => addressKey({ service, index, property })),
  );
  return [
    stated(`kind: ${kind}`, `has ${all.join(", ")}`),
    stated("lively: true", "and lives as such a device does:"),
    ...comment(stringify(lively).trimEnd()),
    ...(Object.keys(values).length === 0 ? [] : [stated("values:", "at the start")]),
    ...Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
  ].join("\n");
}

const CUSTOM = `about: {manufacturer: Example, model: Kettle, firmware: 1.0.0}
services:
  - service: Switch            # a standard class has its standard properties
  - service: Kettle            # one of your own says everything
    properties:
      - property: target
        type: number           # boolean, integer, number, string or json
        unit: °C
        min: 40
        max: 100
        step: 5                # values: [a, b] for a choice
        access: [read, write, notify]
      - property: water
        type: number
        unit: °C
        min: 0
        max: 100
        access: [read, notify]
      - property: done
        type: string
        values: [boiled, empty]
        access: [notify]       # an event: it can only be told
values:
  Switch.on: false
  Kettle.target: 95
  Kettle.water: 18
behaviour:                     # what it does of itself
  - room: {property: Kettle.water, outside: 18, halfHours: 1, perHour: 900, heating: Switch.on, every: 1}
  - person: {seconds: 60, does: [toggle Switch.on, press Kettle.done boiled]}`;

function stated(line: string, comment: string): string {
  return `${line.padEnd(29)}# ${comment}`;
}

function comment(text: string): string[] {
  return text.split("\n").map((line) => `#   ${line}`);
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^/gm, " ".repeat(columns));
}
