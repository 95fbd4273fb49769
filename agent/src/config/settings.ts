/** The settings of `porchlight-agent run`: one schema for file, environment and flags. */
import { admit, edgeId, filledText, isWithoutUser } from "@porchlight/driver-kit/settings";
import { isEdgeId } from "@porchlight/shared/model";
import { Secret, setting } from "@porchlight/shared/settings";
import { z } from "zod";
import { BUILT_IN_DRIVERS } from "../built-in-drivers.ts";

/** The settings of drivers, under `drivers` in the settings file: each built-in driver has its own schema; any other name is a package. */
type BuiltIn = typeof BUILT_IN_DRIVERS;
type Schemas = { readonly [Name in keyof BuiltIn]: BuiltIn[Name]["settings"] };

const schemas = Object.fromEntries(
  Object.entries(BUILT_IN_DRIVERS).map(([name, { settings }]) => [name, settings]),
) as Schemas;

/** The settings of built-in drivers; any other key holds the settings of a package. */
const own = z.object(schemas).partial();

/** The names of built-in drivers, in the order of the documents. */
const OWN_DRIVERS = Object.keys(own.shape);

const NO_NAME = `is not the name of a driver: ${OWN_DRIVERS.join(", ")}, or the name of a package without \`porchlight-driver-\``;

/** The settings of a package's driver: the devices it may admit, and the rest, which its own schema checks once the package is known. */
const ofPackage = z
  .looseObject({ admit })
  .transform(({ admit: admitted, ...rest }) => ({ admit: admitted, own: rest }));

export const driverSettings = own.catchall(ofPackage).superRefine((drivers, context) => {
  for (const name of Object.keys(drivers))
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) context.addIssue({ code: "custom", path: [name], message: NO_NAME });
});

/** The settings of packages, by the name of each. */
export function packageSettings(drivers: DriverSettings): ReadonlyMap<string, OwnSettings> {
  const others = Object.entries(drivers).filter(([name]) => !OWN_DRIVERS.includes(name));
  return new Map(others as [string, OwnSettings][]);
}

export type DriverSettings = z.output<typeof driverSettings>;
export type OwnSettings = z.output<typeof ofPackage>;

const ms = z.int().min(1);
/** Baud rate of a serial line without an explicit one. */
const DEFAULT_BAUD = 115_200;

/** `PATH[@BAUD]`. */
const serialLine = z.string().transform((text, context) => {
  const [, path = "", baud] = /^(.+?)(?:@([1-9]\d{2,7}))?$/.exec(text) ?? [];
  if (path === "" || path.includes("@")) context.addIssue("must be PATH or PATH@BAUD");
  return { path, baudRate: baud === undefined ? DEFAULT_BAUD : Number(baud) };
});

/** `EDGEID=KEY`, the key in hex. */
const lanKey = z.string().transform((text, context) => {
  const [, node = "", hex = ""] = /^([0-9A-F-]+)=((?:[0-9a-f]{2}){16,64})$/i.exec(text) ?? [];
  if (!isEdgeId(node)) context.addIssue("must be EDGEID=KEY, the key 16 to 64 bytes in hex");
  return { node, key: new Secret(hex) };
});

const port = z.int().min(0).max(65_535);
const milliseconds = (byDefault: number, meaning: string) => setting(ms.default(byDefault), { meaning });
const bytes = (least: number, byDefault: number, meaning: string) =>
  setting(z.int().min(least).default(byDefault), { meaning });

/** In the order of `--help` and of the operators' document. */
export const agentSettings = z.object({
  cloud: setting(
    z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .refine(isWithoutUser, "must be an address without a user name or password: the hub has its own token"),
    {
      flag: "<url>",
      meaning: "base address of the service, without a user name or password",
      help: "base address of the service",
    },
  ),
  data: setting(filledText, { flag: "<dir>", meaning: "folder for all data of the agent" }),
  serial: setting(z.array(serialLine).default([]), {
    flag: "<path[@baud]>",
    meaning: "serial lines with devices: `PATH` or `PATH@BAUD` (115200)",
    help: "a serial line with devices; can be repeated",
    isRepeatable: true,
  }),
  lan: setting(filledText.optional(), {
    flag: "<interface>",
    meaning: "IPv4 address or name of the network interface on which the agent looks for devices",
    help: "address or name of the network interface on which the agent looks for devices",
  }),
  "lan.admit": setting(z.union([z.literal("all"), z.array(edgeId).max(1000)]).default([]), {
    flag: "<ids>",
    meaning: "edgeIds of the network devices that are admitted, or `all`",
    help: "edgeIds of the network devices that are admitted, separated by commas; or `all`",
  }),
  "lan.keys": setting(z.array(lanKey).max(1000).default([]), {
    meaning: "`EDGEID=KEY`, with the key in hex, for devices that require TLS",
    isSecret: true,
  }),
  drivers: setting(driverSettings.default({}), {
    meaning: `drivers for other protocols, each with its own settings: ${OWN_DRIVERS.map((name) => `[\`${name}\`](../integrations/${name}.md)`).join(", ")}`,
  }),
  tokenFile: setting(filledText.optional(), {
    flag: "<file>",
    meaning: "file with the client token",
    help: "file with the client token; the default is `token` in the data folder",
    byDefault: "`token` in the data folder",
  }),
  ca: setting(filledText.optional(), {
    flag: "<file>",
    meaning: "PEM file of a CA to trust, in addition to the public ones",
  }),
  edgeId: setting(edgeId.optional(), {
    flag: "<id>",
    meaning: "the hub's edgeId, at the first start only",
    byDefault: "from the hardware, or random",
  }),
  outboxBytes: bytes(
    64 * 1024,
    32 * 1024 * 1024,
    "largest size of the records that wait for the cloud, in bytes; at least 65536",
  ),
  reserveBytes: bytes(0, 4 * 1024 * 1024, "disk space that is kept for commands, in bytes; 0 for none"),
  logBytes: bytes(0, 2 * 1024 * 1024, "largest size of the agent's own log files, in bytes; 0 for no log"),
  frameBytes: bytes(
    0,
    1024 * 1024,
    "memory for the last frames of serial lines and network devices, which the answer to why shows, in bytes; 0 for none",
  ),
  apiPort: setting(port.optional(), {
    flag: "<port>",
    meaning: "port of the API at home; 0 for any free port; without it, the API is off",
    help: "serve the API at home on this port",
  }),
  apiHost: setting(filledText.default("127.0.0.1"), {
    flag: "<address>",
    meaning:
      "address on which the API at home listens; any address except loopback opens it to the whole network, without TLS",
    help: "address on which the API at home listens (127.0.0.1)",
  }),
  metricsPort: setting(port.optional(), {
    flag: "<port>",
    meaning: "port of `/metrics` on 127.0.0.1",
    help: "serve /metrics on this port of 127.0.0.1",
  }),
  backoffFirstMs: milliseconds(1000, "longest first wait before reconnecting"),
  backoffCapMs: milliseconds(60_000, "longest wait before reconnecting"),
  backoffStableMs: milliseconds(60_000, "how long a connection must last before the waits start again from the first"),
  supersededFirstMs: milliseconds(60_000, "first wait after another agent has taken over"),
  supersededCapMs: milliseconds(900_000, "longest such wait"),
  rejectedMs: milliseconds(300_000, "wait after the token or key was refused"),
  handshakeMs: milliseconds(10_000, "longest wait for a socket, and then for the welcome"),
  logLevel: setting(z.enum(["debug", "info", "warn", "error"]).default("info"), {
    meaning: "least level to log: `debug`, `info`, `warn` or `error`",
  }),
});

export type AgentSettings = z.output<typeof agentSettings>;
