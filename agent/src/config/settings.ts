/** The settings of `porchlight-agent run`: one schema for file, environment and flags. */
import { isEdgeId } from "@porchlight/shared/model";
import { Secret, setting } from "@porchlight/shared/settings";
import { z } from "zod";
import { driverSettings } from "./driver-settings.ts";
import { edgeId, filledText, isWithoutUser } from "./setting-schemas.ts";

const ms = z.int().min(1);
/** Baud rate of a serial line that names none. */
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
  data: setting(filledText, { flag: "<dir>", meaning: "folder of everything that the agent keeps" }),
  serial: setting(z.array(serialLine).default([]), {
    flag: "<path[@baud]>",
    meaning: "serial lines with devices: `PATH` or `PATH@BAUD` (115200)",
    help: "a serial line with devices; may be given several times",
    isRepeatable: true,
  }),
  lan: setting(filledText.optional(), {
    flag: "<interface>",
    meaning: "address (IPv4) or name of the interface on which devices of the network are looked for",
    help: "address of the network interface on which devices are looked for",
  }),
  "lan.admit": setting(z.union([z.literal("all"), z.array(edgeId).max(1000)]).default([]), {
    flag: "<ids>",
    meaning: "edgeIds of the network's devices that the hub speaks to, or `all`",
    help: "edgeIds of the network devices to speak to, commas between; or `all`",
  }),
  "lan.keys": setting(z.array(lanKey).max(1000).default([]), {
    meaning: "`EDGEID=KEY`, the key in hex, of devices that must be spoken to with TLS",
  }),
  drivers: setting(driverSettings.default({}), {
    meaning:
      "drivers of devices that speak another protocol, each with its own settings: [`mqtt`](integrations/mqtt.md), [`shelly`](integrations/shelly.md)",
  }),
  tokenFile: setting(filledText.optional(), {
    flag: "<file>",
    meaning: "file with the client token",
    help: "the client token; the data folder's own `token` when left out",
    byDefault: "`token` in the data folder",
  }),
  ca: setting(filledText.optional(), { flag: "<file>", meaning: "PEM of a CA to trust besides the usual ones" }),
  edgeId: setting(edgeId.optional(), {
    flag: "<id>",
    meaning: "the hub's edgeId, at the first start only",
    byDefault: "of the hardware, else made",
  }),
  outboxBytes: bytes(64 * 1024, 32 * 1024 * 1024, "most bytes of records that wait for the cloud; at least 65536"),
  reserveBytes: bytes(0, 4 * 1024 * 1024, "space on the disk that is kept for commands; 0 keeps none"),
  logBytes: bytes(0, 2 * 1024 * 1024, "most bytes of the agent's own log files; 0 writes none"),
  apiPort: setting(port.optional(), {
    flag: "<port>",
    meaning: "port of the API at home; 0 is any free one; none is served when left out",
    help: "serve the API at home on this port",
  }),
  apiHost: setting(filledText.default("127.0.0.1"), {
    flag: "<address>",
    meaning: "address to listen on for it: any but a loopback address lets the whole network in, without TLS",
    help: "address to listen on for it (127.0.0.1)",
  }),
  metricsPort: setting(port.optional(), {
    flag: "<port>",
    meaning: "`/metrics` is served on this port of 127.0.0.1",
    help: "serve /metrics on this port of 127.0.0.1",
  }),
  backoffFirstMs: milliseconds(1000, "bound of the first wait before connecting again"),
  backoffCapMs: milliseconds(60_000, "bound of every wait"),
  backoffStableMs: milliseconds(60_000, "how long a link must last for the waits to begin anew"),
  supersededFirstMs: milliseconds(60_000, "first wait when another agent has taken over"),
  supersededCapMs: milliseconds(900_000, "longest such wait"),
  rejectedMs: milliseconds(300_000, "wait when the token or key is not accepted"),
  handshakeMs: milliseconds(10_000, "longest wait for a socket, and then for the welcome"),
  logLevel: setting(z.enum(["debug", "info", "warn", "error"]).default("info"), {
    meaning: "`debug`, `info`, `warn`, `error`: this and what is graver",
  }),
});

export type AgentSettings = z.output<typeof agentSettings>;
