import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Definitions, readDefinitions } from "./read-definitions.ts";

const ID = "02-50-4C-51-00-01";
const problems = (text: string) => {
  const read = readDefinitions(text);
  return read.kind === "problems" ? read.problems : [];
};
const nodes = (read: Definitions) => (read.kind === "ok" ? read.nodes : []);
const device = (lines: string) => `
nodes:
  - edgeId: ${ID}
    devices:
      - edgeId: ${ID}
${lines.replaceAll(/^/gm, "        ")}
`;

describe("a simulator file", () => {
  test("of the examples has a light of its own and a bridge that fronts the rest", () => {
    const read = readDefinitions(readFileSync(new URL("../../../examples/home.yaml", import.meta.url), "utf8"));
    expect(nodes(read).map(({ name, devices }) => [name, devices.map(({ about }) => about?.name)])).toEqual([
      ["light", ["Porch light"]],
      ["bridge", ["Hall switch", "Living room thermostat", "Front door", "Bedside button", "Kitchen blind", "Kettle"]],
    ]);
  });

  test("of the network has a lamp that is announced on any free port", () => {
    const read = readDefinitions(readFileSync(new URL("../../../examples/network.yaml", import.meta.url), "utf8"));
    expect(nodes(read).map(({ name, network }) => [name, network])).toEqual([
      ["network", { port: 0, announce: true, psk: undefined }],
    ]);
  });

  test("of the laboratory lives, and is rough from the start", () => {
    const read = readDefinitions(readFileSync(new URL("../../../examples/laboratory.yaml", import.meta.url), "utf8"));
    const [lamp, bridge] = nodes(read);
    expect([lamp?.faults, bridge?.faults]).toEqual([
      { corrupt: 0.02, delay: 60 },
      { brownout: 300, garbage: 40, drift: 1.01 },
    ]);
    expect(bridge?.devices.map(({ fault, behaviours = [] }) => [fault?.mode, behaviours.length > 0])).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, true],
      ["slow", false],
      [undefined, true],
    ]);
  });

  test.each([
    ["faults: [corupt 0.1]", 'did you mean "corrupt"?'],
    ["faults: [corrupt 2]", "a number from 0 to 1"],
    ["faults: [slow 3]", "of a device"],
  ])("names what is wrong with a node's %s", (line, sentence) => {
    const text = `nodes: [{edgeId: ${ID}, ${line}, devices: [{edgeId: ${ID}, kind: button}]}]`;
    expect(problems(text).join("\n")).toContain(sentence);
  });

  test("names a fault of a line that is given to a device, and lively without a kind", () => {
    expect(problems(device("kind: button\nfault: corrupt 0.1")).join("\n")).toContain("of a node");
    expect(problems(device("services: [{service: Switch}]\nlively: true")).join("\n")).toContain(
      "lively is for a kind",
    );
  });

  test("may put a node on the network, with a key, and unannounced", () => {
    const on = (lines: string) => `nodes: [{edgeId: ${ID}, ${lines}, devices: [{edgeId: ${ID}, kind: button}]}]`;
    const read = readDefinitions(on(`tcp: 4711, tls: {psk: "${"0a".repeat(16)}"}, announce: false`));
    expect(nodes(read)[0]?.network).toMatchObject({ port: 4711, announce: false });
    expect(Buffer.from(nodes(read)[0]?.network?.psk ?? [])).toEqual(Buffer.alloc(16, 10));
    for (const wrong of ["tcp: 65536", "tcp: 1, tls: {psk: 0a}", `tls: {psk: "${"0a".repeat(16)}"}`, "tcp: 1, link: x"])
      expect(problems(on(wrong)), wrong).toHaveLength(1);
  });

  test("may set values over those of the kind", () => {
    const read = readDefinitions(device("kind: contact-sensor\nvalues: {Contact.open: true}"));
    const values = nodes(read)[0]?.devices[0]?.values?.map(([{ service, property }, value]) => [
      `${service}.${property}`,
      value,
    ]);
    expect(values).toEqual([
      ["Contact.open", true],
      ["Tamper.detected", false],
      ["Battery.percent", 93],
      ["Battery.low", false],
    ]);
  });

  test("has the device's own facts on the node of a single device", () => {
    expect(nodes(readDefinitions(device("kind: button")))[0]?.about).toMatchObject({ model: "Button" });
  });

  test("may describe properties of its own, and take standard ones by name", () => {
    const services = `
services:
  - service: Switch
  - {service: Fan, index: 3, properties: ["on"]}
  - service: Kettle
    properties: [{property: target, type: number, min: 40, max: 100, access: [read, write]}]`;
    const described = nodes(readDefinitions(device(services)))[0]?.devices[0]?.services;
    expect(
      described?.map(({ service, index, properties }) => `${service}:${index} ${properties.map((p) => p.property)}`),
    ).toEqual(["Switch:0 on", "Fan:3 on", "Kettle:0 target"]);
  });
});

describe("what is wrong in a simulator file is named, all at once", () => {
  test.each([
    ["a wrong key, with the right one", device("kidn: button"), 'key "kidn" is not known: did you mean "kind"?'],
    ["a wrong key at the top", "node: []\nnodes: []", 'line 1: key "node" is not known: did you mean "nodes"?'],
    ["a wrong key of a service", device("services: [{service: Switch, idnex: 1}]"), 'did you mean "index"?'],
    ["an unknown kind", device("kind: buton"), 'kind "buton" is not known: did you mean "button"?'],
    [
      "an unknown property among the values",
      device("kind: button\nvalues: {Battery.percnt: 3}"),
      'did you mean "Battery:0.percent"?',
    ],
    ["a value of the wrong type", device("kind: button\nvalues: {Battery.low: 3}"), "low is of type boolean"],
    ["a device that is nothing", device("name: Ghost"), "line 5: a device needs a kind or services"],
    [
      "a class that is not standard, without properties",
      device("services: [{service: Kettle}]"),
      "list its properties",
    ],
    [
      "a property that is not standard, by name",
      device("services: [{service: Switch, properties: [off]}]"),
      "describe it",
    ],
    [
      "a range that contradicts itself",
      device("services: [{service: A, properties: [{property: b, type: number, min: 2, max: 1, access: [read]}]}]"),
      "range",
    ],
    ["Identify, which is the hub's own", device("services: [{service: Identify}]"), "the hub's own service"],
    ["an edgeId in lower case", device("kind: button").replaceAll(ID, "02-50-4c-51-00-01"), "upper-case hex"],
    ["the same device twice", `${device("kind: button")}      - {edgeId: ${ID}, kind: button}`, "is there twice"],
    ["no YAML", "nodes: [", "Flow sequence"],
  ])("%s", (_, text, sentence) => expect(problems(text).join("\n")).toContain(sentence));

  test("in one round, each with its line and in plain words, whether the shape or the content is wrong", () => {
    const text = `nodes:
  - edgeId: ${ID}
    name: 3
    devices:
      - edgeId: ${ID}
        kind: buton
      - edgeId: 02-50-4c-51-00-02
        services:
          - service: Kettle
          - service: Fan
            index: 1000
            properties: [{property: b, type: numbr, access: [rad]}]
        behaviour:
          - fade: {property: X.y, seconds: 0}
      - edgeId: 02-50-4C-51-00-03
        kind: button
        abuot: {model: X}
        values:
          Battery.percent: full
        behaviour:
          - back: {property: 3}
          - drain: {property: Battery.percnt, hours: 2}
    win: many
    faults: [corrupt 2]
`;
    expect(problems(text)).toEqual([
      "line 3: name must be a text",
      'line 6: kind "buton" is not known: did you mean "button"?',
      "line 7: edgeId must be 6 or 8 bytes in upper-case hex, separated by hyphens",
      "line 9: Kettle is not a standard class: list its properties",
      "line 11: index must be at most 999",
      "line 12: type must be one of `boolean`, `integer`, `number`, `string`, `json`",
      "line 12: access must be one of `read`, `write`, `notify`",
      "line 14: seconds must be above 0",
      'line 17: key "abuot" is not known: did you mean "about"?',
      "line 19: Battery.percent: percent is of type number.",
      "line 21: property must be a text",
      "line 21: to is missing",
      "line 21: seconds is missing",
      'line 22: property "Battery.percnt" is not known: did you mean "Battery:0.percent"?',
      "line 23: win must be a number",
      expect.stringMatching(/^line 24: corrupt takes a number from 0 to 1/),
    ]);
  });

  test.each([
    ["", "line 1: this must be a group of `key: value` lines"],
    ["nodes: 3", "line 1: nodes must be a list"],
    ["nodes: []", "line 1: nodes must not be empty"],
    ["nodes:\n  - 3", "line 2: this must be a group of `key: value` lines"],
    ["a: [\nb: {", "line 2: "],
  ])("as a file that is %j", (text, problem) => expect(problems(text).join("\n")).toContain(problem));
});
